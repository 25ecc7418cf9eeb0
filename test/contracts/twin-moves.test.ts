// What a move by who sees a part of the vault leaves on the disk. Each move is made three times: with the hidden files and
// without them, by an agent that sees a part, which must come to the same; and by who sees everything, from which a
// visible file may differ only in the lines that the agent's answer names.
import { type MoveAnswer, moveEntry } from '@vault-mcp/api/operations/move-entry';
import { type AccessRule, createAccess, EVERYTHING } from '@vault-mcp/shared/vault/access';
import { viewOf } from '@vault-mcp/shared/vault/view';
import { createVaultWriter } from '@vault-mcp/shared/vault/write';
import { describe, expect, it } from 'vitest';
import { movingContext } from '../support/moving-context.ts';
import { createWritableVault, NOTE_MAX_BYTES } from '../support/writable-vault.ts';
import { ANYWHERE } from '../support/writing-context.ts';

const RULES: readonly AccessRule[] = [
  { prefix: 'Open', read: true, write: true },
  { prefix: 'Open/Shut', read: false, write: false },
  { prefix: 'Way/Open', read: true, write: true },
];
const SCRIBE = createAccess(RULES);

interface Case {
  readonly say: string;
  readonly visible: Readonly<Record<string, string>>;
  readonly hidden: Readonly<Record<string, string>>;
  readonly move: readonly [string, string];
}

/** Each link of a note on a line of its own, so that a line that is named excuses no other link. */
const CASES: readonly Case[] = [
  {
    say: 'a bare link that leads to a hidden note at the root',
    visible: { 'Open/Budget.md': 'b', 'Open/Ref.md': 'See [[Budget]].', 'Open/Board.canvas': card('[[Budget]]') },
    hidden: { 'Budget.md': 'the real one' },
    move: ['Open/Budget.md', 'Open/Old budget.md'],
  },
  {
    say: 'a bare link whose new name a hidden note has',
    visible: { 'Open/Rose.md': 'r', 'Open/Ref.md': 'See [[Rose]]\nand [[Open/Rose]].' },
    hidden: { 'Private/Tulip.md': 't' },
    move: ['Open/Rose.md', 'Open/Tulip.md'],
  },
  {
    say: 'a bare link whose old name a hidden note has',
    visible: { 'Open/Rose.md': 'r', 'Open/Ref.md': 'See [[Rose]].', 'Way/Open/x.md': '[a](Rose.md)' },
    hidden: { 'Private/Rose.md': 'r', 'Way/Rose.md': 'r' },
    move: ['Open/Rose.md', 'Way/Open/Tulip.md'],
  },
  {
    say: 'the end of a path, which a hidden note has too',
    visible: { 'Open/In/Rose.md': 'r', 'Open/Ref.md': 'See [[In/Rose]].' },
    hidden: { 'In/Rose.md': 'r' },
    move: ['Open/In/Rose.md', 'Open/In/Tulip.md'],
  },
  {
    say: 'a name that the moved note takes from a hidden one',
    visible: { 'Open/Rose.md': 'r', 'Open/Ref.md': 'See [[Tulip]].' },
    hidden: { 'Private/Tulip.md': 't' },
    move: ['Open/Rose.md', 'Open/Tulip.md'],
  },
  {
    say: 'relative links of the moved note to hidden files',
    visible: {
      'Open/L3.md': '[x](../Private/Plan.md)\n![p](../Private/pic.png)\n[[./Shut/In]]\n[y](M.md)',
      'Open/M.md': 'm',
    },
    hidden: { 'Private/Plan.md': 'p', 'Private/pic.png': 'png', 'Open/Shut/In.md': 'i' },
    move: ['Open/L3.md', 'Way/Open/Sub/L3.md'],
  },
  {
    say: 'links of the moved note that do not say where they start',
    visible: { 'Open/L.md': '[x](Shut/In.md)\n\n[[In]]\n[y](Private/Plan.md)' },
    hidden: { 'Private/Plan.md': 'p', 'Open/Shut/In.md': 'i' },
    move: ['Open/L.md', 'Way/Open/L.md'],
  },
  {
    say: 'relative links in a folder that moves',
    visible: {
      'Open/Sub/a.md': '[x](../../Private/Plan.md)\n[b](b.md)\n[s](./sub/c.md)',
      'Open/Sub/b.md': '[[Sub/a]]\n[[a]]',
    },
    hidden: { 'Private/Plan.md': 'p', 'Private/Sub/a.md': 'a' },
    move: ['Open/Sub', 'Way/Open/Deep/Sub'],
  },
  {
    say: 'links that say all of where they lead',
    visible: {
      'Open/Rose.md': '[[Open/Ref]]\n[r](Ref.md)',
      'Open/Ref.md': '[[Open/Rose|r]]\n[a](Rose.md)\n[b](/Open/Rose.md)',
      'Open/Board.canvas': JSON.stringify({ nodes: [{ type: 'file', file: 'Open/Rose.md' }] }),
    },
    hidden: { 'Rose.md': 'r', 'Private/Ref.md': '[[Open/Rose]]' },
    move: ['Open/Rose.md', 'Way/Open/Tulip.md'],
  },
];

function card(text: string): string {
  return JSON.stringify({ nodes: [{ type: 'text', text }] });
}

interface Left {
  readonly answer: MoveAnswer;
  /** Every file that the agent sees. */
  readonly seen: Readonly<Record<string, string>>;
  readonly hidden: Readonly<Record<string, string>>;
}

async function moved({ visible, hidden, move: [source, destination] }: Case, access = SCRIBE): Promise<Left> {
  const on = await createWritableVault();
  try {
    await on.put({ ...visible, ...hidden });
    const vault = viewOf(on.vault, access);
    const writer = createVaultWriter(vault, { locks: on.locks, noteMaxBytes: NOTE_MAX_BYTES });
    const answer = await moveEntry({ ...movingContext(on).context, vault, writer }, { source, destination }, ANYWHERE);
    const files = Object.entries(await on.everything()).filter(([, text]) => text !== '/');
    const filesWhere = (isSeen: boolean) => files.filter(([path]) => SCRIBE.mayRead(path) === isSeen);
    return { answer, seen: Object.fromEntries(filesWhere(true)), hidden: Object.fromEntries(filesWhere(false)) };
  } finally {
    await on.remove();
  }
}

/** 1-based. A link that is rewritten stays on its line. */
function differingLines(one: string, other: string): number[] {
  const [lines, others] = [one.split('\n'), other.split('\n')];
  expect(lines).toHaveLength(others.length);
  return lines.flatMap((line, i) => (line === others[i] ? [] : [i + 1]));
}

describe('a move by who sees a part of the vault', () => {
  it.each(CASES)('does and says the same whether or not there is more: $say', async (one) => {
    const [beside, alone] = [await moved(one), await moved({ ...one, hidden: {} })];
    expect(beside.answer).toEqual(alone.answer);
    expect(beside.seen).toEqual(alone.seen);
    expect(beside.hidden).toEqual(one.hidden);
  });

  it.each(CASES)('leaves what one by the owner leaves, or names the line: $say', async (one) => {
    const [part, whole] = [await moved(one), await moved(one, EVERYTHING)];
    expect(Object.keys(part.seen)).toEqual(Object.keys(whole.seen));
    const named = part.answer.left.map(({ path, line }) => `${path}:${line}`);
    const differing = Object.entries(whole.seen).flatMap(([path, text]) =>
      differingLines(part.seen[path] ?? '', text).map((line) => `${path}:${line}`),
    );
    expect(differing.filter((line) => !named.includes(line))).toEqual([]);
  });

  it('makes the links follow that are certain, so that the comparison means something', async () => {
    const { answer } = await moved(CASES.at(-1) as Case);
    expect(answer).toMatchObject({ links_updated: 5, left: [] });
  });
});
