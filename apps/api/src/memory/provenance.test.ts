import { applyNoteEdit } from '@vault-mcp/shared/vault/note/edit/note-edit';
import { describe, expect, test } from 'vitest';
import { provenanceEdits } from './provenance.ts';

const edited = (text: string, by: { agent: string; source?: string }, operator = false): string =>
  applyNoteEdit(text, { kind: 'several', edits: provenanceEdits(by, operator) }).text;

describe('provenance', () => {
  test('names agent and source, last in the block, which is made where there is none', () => {
    expect(edited('---\ntitle: A\n---\nx\n', { agent: 'scribe', source: 'chat 12' })).toBe(
      '---\ntitle: A\nvault_agent: scribe\nvault_source: chat 12\n---\nx\n',
    );
    expect(edited('x\n', { agent: 'scribe' })).toBe('---\nvault_agent: scribe\n---\nx\n');
  });

  test('takes out what this write has none of, and makes no block for that', () => {
    const text = '---\nvault_agent: old\ntitle: A\nvault_source: gone\n---\nx\n';
    expect(edited(text, { agent: 'operator' }, true)).toBe('---\ntitle: A\n---\nx\n');
    expect(edited(text, { agent: 'scribe' })).toBe('---\nvault_agent: scribe\ntitle: A\n---\nx\n');
    expect(edited('x\n', { agent: 'operator' }, true)).toBe('x\n');
  });

  test('keeps a source on one line and within bounds, whatever a header holds', () => {
    const source = `a\r\nvault_agent: evil\u0000 ${'😀'.repeat(600)}\ud800`;
    const text = edited('x\n', { agent: 'scribe', source });
    expect(text).toContain('vault_source: "a vault_agent: evil');
    expect(text.split('\n')).toHaveLength(6);
    expect(text.isWellFormed()).toBe(true);
    expect(text.length).toBeLessThan(1200);
    expect(edited('x\n', { agent: 'operator', source: ' \n ' }, true)).toBe('x\n');
  });
});
