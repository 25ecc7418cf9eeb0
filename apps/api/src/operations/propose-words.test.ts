/** What is found by words alone, with the ceilings as they are shipped: a memory within a long note, and long ones beside others. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GateVault, gateVault, SCRIBE } from '../../../../test/support/gate-vault.ts';
import type { MemoryContext } from './gate-ports.ts';
import { propose } from './propose.ts';

const DAYS = Array.from(
  { length: 40 },
  (_, n) => `On day ${n} he read chapter ${n} of the long book and walked ${n} miles along the canal with the dog.`,
);
const FILES = {
  'People/Jonas.md': `# Jonas\n\n${DAYS.slice(0, 12).join(' ')} Jonas is allergic to penicillin. ${DAYS.slice(12, 20).join(' ')}\n`,
  'Parts/Pump.md': '# Pump\n\nThe circulation pump is a Wrenfield Q1185Z, under warranty.\n',
  'Garden/Beds.md': '# Beds\n\nRhubarb and gooseberries stand by the greenhouse, leeks behind them.\n',
  ...Object.fromEntries(DAYS.map((text, n) => [`Days/${n}.md`, `# Day ${n}\n\n${text}\n`])),
};

let vault: GateVault;
let context: MemoryContext;
beforeAll(async () => {
  vault = await gateVault(FILES, { GATE_DISTANCE_CEILING: '', GATE_BM25_CEILING: '' });
  const { embedder } = vault.context;
  const embedDocuments = () => Promise.reject(new Error('dead'));
  context = { ...vault.context, embedder: embedder && { ...embedder, embedDocuments } };
});
afterAll(() => vault.remove());

async function shownTo(title: string, body: string): Promise<string[]> {
  const proposal = { title, body, type: 'fact', namespace: 'Memory', dry_run: true } as const;
  const answer = await propose(context, proposal, SCRIBE);
  return 'similar' in answer ? answer.similar.map(({ path }) => path) : [];
}

describe('by words alone', () => {
  test('a memory is shown the long note that says it among other things', async () => {
    expect(await shownTo('Penicillin', 'Jonas is allergic to penicillin.')).toEqual(['People/Jonas.md']);
  });

  test('a memory is not shown a long note that holds some of its words', async () => {
    expect(await shownTo('The dog', 'Jonas has taken the dog to the kennels in Harwich until Easter.')).toEqual([]);
  });

  test('a list is not shown a note for two words that one of its items shares', async () => {
    const items = [
      'rhubarb and gooseberries',
      'flour for the sourdough',
      'batteries for the lantern',
      'a reel of thread',
    ];
    const list = [...items, 'lamp oil', 'two bags of gravel', 'blue ink', 'candles for the porch', 'the good soap'];
    expect(
      await shownTo('Shopping in March', list.map((item) => `- ${item}, from the market hall`).join('\n')),
    ).toEqual([]);
  });

  test('a long one is not shown everything that has one of the numbers at its end', async () => {
    const prose = DAYS.map((text) => text.replaceAll(/chapter|canal/g, 'part')).join('\n\n');
    const rows = Array.from({ length: 40 }, (_, n) => `| Q${1000 + n * 37}Z | spare of lot ${n} in the shed |`).join(
      '\n',
    );
    const table = `| Number | What |\n| --- | --- |\n${rows}`;
    expect(await shownTo('Stock', `${prose.slice(0, 9000).replaceAll(/\d+/g, 'some')}\n\n${table}`)).toEqual([]);
  });
});
