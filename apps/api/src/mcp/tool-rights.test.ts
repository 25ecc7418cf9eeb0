import { type AccessRule, createAccess, EVERYTHING, type WriteRight } from '@vault-mcp/shared/vault/access';
import { describe, expect, it } from 'vitest';
import type { ServedContext } from '../context.ts';
import { beyondRights, type ToolAct, type ToolAudience } from './tool-rights.ts';

const READER = createAccess([{ prefix: '', read: true }]);
const SCRIBE = createAccess([{ prefix: 'Journal', read: true, write: 'append' }]);
const EDITOR = createAccess([{ prefix: 'Journal', read: true, write: true }]);

function callable(access: typeof READER, isOperator: boolean): string[] {
  const deps = { context: { vault: { access } } as ServedContext, isOperator };
  return (['agents', 'operator'] as ToolAudience[]).flatMap((audience) =>
    (['read', 'add', 'change'] as ToolAct[]).flatMap((act) =>
      beyondRights({ audience, act }, deps) === null ? [`${audience}: ${act}`] : [],
    ),
  );
}

describe('the tools of a caller', () => {
  it('are all for the operator', () => {
    expect(callable(EVERYTHING, true)).toHaveLength(6);
  });

  it('are, for an agent, those whose act is within the most that it may do anywhere', () => {
    expect(callable(READER, false)).toEqual(['agents: read']);
    expect(callable(SCRIBE, false)).toEqual(['agents: read', 'agents: add']);
    expect(callable(EDITOR, false)).toEqual(['agents: read', 'agents: add', 'agents: change']);
    expect(callable(EVERYTHING, false)).toEqual(['agents: read', 'agents: add', 'agents: change']);
  });

  it('are those whose place holds something that it may write', () => {
    const config = { wiki: { dir: 'Wiki' }, vault: { doc_suffixes: ['.pdf'] } } as ServedContext['config'];
    const offered = (rules: readonly AccessRule[] | null) => {
      const access = rules === null ? EVERYTHING : createAccess(rules);
      const deps = { context: { vault: { access }, config } as ServedContext, isOperator: false };
      const places = ['wiki', 'raw-material', 'outside-wiki', 'folder'] as const;
      return places.filter((place) => beyondRights({ audience: 'agents', act: 'add', place }, deps) === null);
    };
    const may = (prefix: string, write: WriteRight = 'append') => ({ prefix, read: true, write });
    const all = ['wiki', 'raw-material', 'outside-wiki', 'folder'];
    expect(offered([may('Journal')])).toEqual(['outside-wiki', 'folder']);
    expect(offered([may('wiki')])).toEqual(['wiki', 'raw-material', 'folder']);
    // There are no pages in the raw folder.
    expect(offered([may('Wiki/raw')])).toEqual(['raw-material', 'folder']);
    expect(offered([may('wiki/RAW/2026')])).toEqual(['raw-material', 'folder']);
    expect(offered([may('Wiki/raw'), may('Wiki/Home.md')])).toEqual(['wiki', 'raw-material', 'folder']);
    expect(offered([may('Wiki'), may('Wiki/raw', false)])).toEqual(['wiki', 'folder']);
    expect(offered([may('Wiki/Home.md')])).toEqual(['wiki']);
    expect(offered([may('a.md'), may('Files/b.pdf')])).toEqual(['outside-wiki']);
    expect(offered([may(''), may('Wiki', false)])).toEqual(['outside-wiki', 'folder']);
    expect(offered([may('')])).toEqual(all);
    expect(offered(null)).toEqual(all);
  });

  it('are those for what is beside the vault only where all of it may be written', () => {
    const isOffered = (access: typeof READER) => {
      const deps = { context: { vault: { access } } as ServedContext, isOperator: false };
      return beyondRights({ audience: 'agents', act: 'change', besideVault: true }, deps) === null;
    };
    const all = createAccess([{ prefix: '', read: true, write: true }]);
    const holes = createAccess([
      { prefix: '', read: true, write: true },
      { prefix: 'Kept', write: false },
    ]);
    const offered = [READER, SCRIBE, EDITOR, holes, all, EVERYTHING].map(isOffered);
    expect(offered).toEqual([false, false, false, false, true, true]);
  });
});
