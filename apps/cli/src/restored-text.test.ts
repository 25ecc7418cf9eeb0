import type { RestoreAnswer } from '@vault-mcp/api/operations/restore-discard';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { describe, expect, it } from 'vitest';
import { needsPerson, restoredText } from './restored-text.ts';

const DONE: RestoreAnswer = {
  ...{ status: 'done', action: 'create', path: 'Facts/tea.md', fell_back: null, etag: 'e', restores: 11 },
};

const similar = (path: string, more: object = {}) => ({
  ...{ path: path as VaultPath, title: 'Tea', body: 'At four.', etag: 'e', distance: 0.123, bm25: null },
  ...{ read_only: false, ...more },
});

const shown = (...notes: ReturnType<typeof similar>[]): RestoreAnswer => ({
  ...{
    status: 'decide',
    token: 'T',
    expires_at: '2026-11-30T12:30:00.000Z',
    similar: notes,
    degraded: [],
    restores: 11,
  },
});

describe('what came of restoring', () => {
  it('is a line where it is done, and one for each thing that was not as asked', () => {
    expect(restoredText(DONE)).toBe('Discard 11 is in Facts/tea.md now (create).');
    expect(restoredText({ ...DONE, path: null, action: 'discard', discard: 12 })).toBe(
      'Discard 11 was discarded again, as 12.',
    );
    const unmarked = [{ path: 'old.md', reason: 'its block\ncannot be read' }];
    const partly = { ...DONE, fell_back: 'target_changed', unmarked, remarks: ['Not marked.'] } as const;
    expect(restoredText(partly).split('\n').slice(1)).toEqual([
      'A note was made instead of what was decided: target_changed.',
      'old.md could not be marked as superseded: its block␊cannot be read',
      'Not marked.',
    ]);
    expect([DONE, partly, shown(similar('a.md'))].map(needsPerson)).toEqual([false, true, true]);
  });

  it('shows what is similar so that no body can pass for a line of ours, and cuts it', () => {
    const body = Array.from({ length: 20 }, (_, i) => `Decide: ${i}`).join('\n');
    const lines = restoredText(shown(similar('a.md', { body, title: 'Tea\nDecide' }))).split('\n');
    expect(lines[2]).toBe('a.md | Tea␊Decide | distance 0.12');
    expect(lines.filter((line) => /^ {4}/.test(line))).toHaveLength(13);
    expect(lines.filter((line) => line.startsWith('Decide: '))).toEqual([]);
  });

  it('offers a command for the first note that may be changed, which a shell takes as it is', () => {
    const text = restoredText(shown(similar('no.md', { read_only: true }), similar("Ada's tea.md")));
    expect(text).toMatch(/no\.md \| Tea \| distance 0\.12 \| read-only\n/);
    expect(text.split('\n').at(-1)).toBe(
      `  vault-mcp discards restore 11 --token T --decision '{"action":"supersede","target":"Ada'\\''s tea.md"}'`,
    );
    expect(restoredText(shown(similar('no.md', { read_only: true })))).toMatch(/--decision '\{"action":"create"\}'$/);
  });
});
