/** What a vault of one-sentence memories is shown of what is proposed again, with the ceilings as they are shipped. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GateVault, gateVault, SCRIBE } from '../../../../test/support/gate-vault.ts';
import type { MemoryContext } from './gate-ports.ts';
import { propose } from './propose.ts';

type Memory = readonly [title: string, body: string];
interface Pair {
  readonly kind: 'paraphrase' | 'correction' | 'unrelated';
  readonly kept?: Memory;
  readonly again: Memory;
}

const PAIRS = readFileSync(new URL('../../../../bench/gate-pairs.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Pair);
const KEPT = PAIRS.flatMap(({ kept }) => (kept === undefined ? [] : [kept]));
const SHIPPED = { GATE_DISTANCE_CEILING: '', GATE_BM25_CEILING: '' };

const pathOf = ([title]: Memory) => `Memory/${title}.md`;
const noteOf = ([title, body]: Memory) => `---\ntype: fact\ntitle: ${JSON.stringify(title)}\n---\n${body}\n`;

async function shownTo(context: MemoryContext, [title, body]: Memory): Promise<string[]> {
  const answer = await propose(context, { title, body, type: 'fact', namespace: 'Memory', dry_run: true }, SCRIBE);
  return 'similar' in answer ? answer.similar.map(({ path }) => path) : [];
}

/** Of which of these the note that says it was shown. */
async function foundAgain(context: MemoryContext, asked: readonly { kept: Memory; again: Memory }[]) {
  const found: string[] = [];
  for (const { kept, again } of asked) {
    if ((await shownTo(context, again)).includes(pathOf(kept))) found.push(kept[0]);
  }
  return found;
}

const againOf = (kind: Pair['kind']) =>
  PAIRS.flatMap(({ kept, again, kind: its }) => (its === kind && kept !== undefined ? [{ kept, again }] : []));

const deaf = ({ embedder, ...context }: MemoryContext): MemoryContext => ({
  ...context,
  embedder: embedder && { ...embedder, embedDocuments: () => Promise.reject(new Error('dead')) },
});

describe.each([
  ['builtin', 'builtin', (context: MemoryContext) => context, { paraphrases: 36, corrections: 12 }],
  ['lexical', 'lexical', (context: MemoryContext) => context, { paraphrases: 34, corrections: 11 }],
  ['a dead embedder', 'builtin', deaf, { paraphrases: 34, corrections: 11 }],
] as const)('a short memory that is proposed again, with %s', (_name, provider, as, least) => {
  let vault: GateVault;
  let context: MemoryContext;
  beforeAll(async () => {
    const files = Object.fromEntries(KEPT.map((memory) => [pathOf(memory), noteOf(memory)]));
    vault = await gateVault(files, { EMBED_PROVIDER: provider, ...SHIPPED });
    context = as(vault.context);
  }, 120_000);
  afterAll(() => vault.remove());

  test('word for word is always shown', async () => {
    const copies = KEPT.map((kept) => ({ kept, again: kept }));
    expect(await foundAgain(context, copies)).toEqual(KEPT.map(([title]) => title));
  });

  test('in other words is shown, of ten about nine', async () => {
    expect((await foundAgain(context, againOf('paraphrase'))).length).toBeGreaterThanOrEqual(least.paraphrases);
  });

  test('because it has changed is shown', async () => {
    expect((await foundAgain(context, againOf('correction'))).length).toBeGreaterThanOrEqual(least.corrections);
  });

  test('about something else is shown nothing', async () => {
    const shown = [];
    for (const { kind, again } of PAIRS) if (kind === 'unrelated') shown.push(...(await shownTo(context, again)));
    expect(shown).toEqual([]);
  });
});
