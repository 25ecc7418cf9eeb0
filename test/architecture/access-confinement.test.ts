import { describe, expect, it } from 'vitest';
import { reachesAroundNoView } from './access-confinement.ts';
import { parseSource, type Rule } from './source-files.ts';

const A = 'apps/api/src';
const I = 'apps/indexer/src';

const broken = (rule: Rule, files: Record<string, string>) =>
  rule(Object.entries(files).map(([path, text]) => parseSource(path, text)));

describe('what its caller may see is reached around by', () => {
  it.each([
    ['the whole vault', 'export const x = ({ vault }) => vault.whole.locate("a.md");'],
    ['the whole vault of a context', 'export const x = (context) => list(context.vault.whole);'],
    ['the whole vault, taken out', 'export const x = ({ vault }) => { const { whole } = vault; return whole; };'],
    [
      'a writer of its own',
      "import { createVaultWriter } from '@vault-mcp/shared/vault/write'; createVaultWriter(v, o);",
    ],
    ['a view of its own', "import { viewOf } from '@vault-mcp/shared/vault/view'; viewOf(v, a);"],
    ['an answer of the index', 'export const x = ({ reader }) => reader.quarantined(5);'],
    ['an answer of its own index', 'class X { #reader; get() { return this.#reader.fileHistory(); } }'],
  ])('%s', (_name, text) => {
    expect(broken(reachesAroundNoView, { [`${A}/operations/leak.ts`]: text })).toHaveLength(1);
  });

  it('nothing that only sounds like it', () => {
    const allowed = {
      [`${A}/operations/read.ts`]:
        'export const x = ({ vault, rows }) => [vault.locate("a"), rows.whole, viewOf(rows)];',
      [`${A}/callers.ts`]: "import { viewOf } from '@vault-mcp/shared/vault/view'; viewOf(v, a);",
      [`${I}/leak.ts`]: 'export const x = ({ reader }) => reader.quarantined(5);',
    };
    expect(broken(reachesAroundNoView, allowed)).toEqual([]);
  });
});
