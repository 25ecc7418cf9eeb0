import { parseFrontmatter } from '@vault-mcp/shared/vault/note/frontmatter';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { describe, expect, it } from 'vitest';
import { indexedWritingSuite } from '../../../../../test/support/writing-context.ts';
import { gatePorts } from '../../operations/gate-ports.ts';
import { type Member, readMembers } from './members.ts';
import { commonestType, mergedCandidate, planMerge } from './merged-note.ts';

const member = (path: string, parts: Partial<Member> = {}): Member => ({
  ...{ path: path as VaultPath, title: path, etag: 'e', text: 'Text.\n', body: 'Text.', type: undefined, tags: [] },
  ...parts,
});
const rules = { config: { timestampKey: 'timestamp' } as Parameters<typeof mergedCandidate>[0]['config'] };
const TEXT = { title: 'Merged', body: 'All of it.' };

describe('the type of a merged note', () => {
  it('is the commonest of the notes’, of those as common the first, and one that a note can have', () => {
    const types = (...all: (string | undefined)[]) => commonestType(all.map((type) => ({ type })));
    expect(types('event', 'fact', 'fact')).toBe('fact');
    expect(types('event', 'fact')).toBe('event');
    expect(types('no/type', 'no/type', undefined, 'fact')).toBe('fact');
    expect(types(undefined)).toBe('note');
  });

  it('is that which whoever merged them gave it', () => {
    const members = [member('a.md', { type: 'fact' }), member('b.md', { type: 'fact' })];
    expect(mergedCandidate(rules, 'House', { ...TEXT, type: 'summary' }, members).type).toBe('summary');
    expect(mergedCandidate(rules, 'House', TEXT, members).type).toBe('fact');
  });
});

describe('a merged note', () => {
  it('has the tags of all notes, each once in the spelling met first, and no key without any', () => {
    const members = [member('a.md', { tags: ['House', 'heat'] }), member('b.md', { tags: ['heat', 'house', 'new'] })];
    expect(mergedCandidate(rules, 'House', TEXT, members).frontmatter).toEqual({ tags: ['House', 'heat', 'new'] });
    expect(mergedCandidate(rules, '', TEXT, [member('a.md')]).frontmatter).toEqual({});
  });

  it('must be one that could be proposed', () => {
    expect(() => mergedCandidate(rules, '', { ...TEXT, body: '---\na: 1\n---\nb' }, [])).toThrow(/frontmatter block/);
    expect(() => mergedCandidate(rules, '', { ...TEXT, title: 'a\nb' }, [])).toThrow(/one line/);
  });
});

describe('the notes of a cluster', () => {
  const vault = indexedWritingSuite({
    'a.md': '---\ntype: fact\ntags: heat, house\n---\n# A\n\nText of a.\n',
    'b.md': 'Text of b.\n',
    'bad.md': '---\na: [1\n---\nText.\n',
    'old.md': '---\nsuperseded_by: "[[a]]"\n---\nText.\n',
    'Wiki/page.md': 'Text.\n',
    'changed.md': 'Text.\n',
  });
  const ports = () => gatePorts(vault.context, { agent: 'operator' });
  const found = (...paths: string[]) =>
    paths.map((path) => ({ path, title: path, etag: vault.context.reader.fileByPath(path)?.sha256 ?? '' }));

  it('are read as they stand, without those that cannot be marked, each with its reason', async () => {
    const all = found('a.md', 'b.md', 'bad.md', 'old.md', 'Wiki/page.md', 'changed.md', 'gone.md');
    vault.put('changed.md', 'Other text.\n');
    const { members, left } = await readMembers(ports(), all);
    expect(members).toMatchObject([
      { path: 'a.md', body: '# A\n\nText of a.', type: 'fact', tags: ['heat', 'house'] },
      { path: 'b.md', body: 'Text of b.', type: undefined, tags: [] },
    ]);
    expect(left.map(({ path, reason }) => [path, reason])).toEqual([
      ['bad.md', expect.stringContaining('frontmatter')],
      ['old.md', expect.stringContaining('superseded')],
      ['Wiki/page.md', expect.stringContaining('may not be written')],
      ['changed.md', expect.stringContaining('changed')],
      ['gone.md', expect.stringContaining('not there')],
    ]);
  });

  it('are each to be marked by the note that stands for them, which names them all', async () => {
    const { members } = await readMembers(ports(), found('a.md', 'b.md'));
    const candidate = mergedCandidate(ports(), '', TEXT, members);
    const subject = { candidate, agent: 'operator', source: undefined };
    const { create, marks, unmarked, action } = await planMerge(ports(), subject, 'merged.md' as VaultPath, members);
    expect(marks.map(({ path, etagBefore }) => [path, etagBefore])).toEqual(
      members.map(({ path, etag }) => [path, etag]),
    );
    expect(parseFrontmatter(create?.text ?? '').data).toMatchObject({ supersedes: ['[[a]]', '[[b]]'] });
    expect([action, unmarked]).toEqual(['supersede', []]);
  });
});
