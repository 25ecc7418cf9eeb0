import { AppError } from '@vault-mcp/shared/errors';
import { parseNote } from '@vault-mcp/shared/vault/note/parse';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { provenanceEdits } from '../provenance.ts';
import { type CandidateInput, candidateHash, parseCandidate } from './candidate.ts';
import { composeNote } from './compose-note.ts';

const GOOD: CandidateInput = { title: 'Ada', type: 'fact', namespace: 'Facts', body: 'She wrote it.' };
const parse = (part: Partial<CandidateInput>) => parseCandidate({ ...GOOD, ...part }, { timestampKey: 'timestamp' });

function codeOf(part: Partial<CandidateInput>): string {
  try {
    parse(part);
    return 'accepted';
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

describe('a candidate', () => {
  test('is taken as it was sent, but for white space around it', () => {
    expect(
      parse({ title: ' Ada ', namespace: '', body: '\n\nShe.\r\n\r\n- a\r\n', frontmatter: { tags: ['x'] } }),
    ).toEqual({
      title: 'Ada',
      type: 'fact',
      namespace: '',
      body: 'She.\n\n- a',
      frontmatter: { tags: ['x'] },
    });
  });

  test.each<[string, Partial<CandidateInput>, string]>([
    ['a blank title', { title: '  ' }, 'invalid_value'],
    ['a title of two lines', { title: 'a\nb' }, 'invalid_value'],
    ['a title that is too long', { title: 'x'.repeat(201) }, 'invalid_value'],
    ['half a character', { title: 'a\ud800' }, 'invalid_value'],
    ['a type that is no word', { type: '[x]' }, 'invalid_value'],
    ['a type of two lines', { type: 'fact\nx' }, 'invalid_value'],
    ['a dotted folder', { namespace: '.obsidian/x' }, 'invalid_path'],
    ['a way out of the vault', { namespace: '../x' }, 'invalid_path'],
    ['a folder that other systems cannot hold', { namespace: 'Facts./x' }, 'invalid_path'],
    ['a blank body', { body: ' \n\t\n' }, 'invalid_value'],
    ['a body with a block of its own', { body: '---\na: 1\n---\nx' }, 'invalid_value'],
    ['half a character in the body', { body: 'x\udc00' }, 'invalid_value'],
    ['a body that is too long', { body: 'é'.repeat(40_000) }, 'note_too_large'],
    ['a key of the gate', { frontmatter: { vault_agent: 'me' } }, 'invalid_value'],
    ['the timestamp', { frontmatter: { timestamp: 'x' } }, 'invalid_value'],
    ['a mark', { frontmatter: { superseded_by: 'x' } }, 'invalid_value'],
    ['a key of the gate in another case', { frontmatter: { Title: 'x' } }, 'invalid_value'],
    ['a mark in another case', { frontmatter: { SUPERSEDED_BY: 'x' } }, 'invalid_value'],
    ['the timestamp in another case', { frontmatter: { TimeStamp: 'x' } }, 'invalid_value'],
    ['a key of the gate in wide letters', { frontmatter: { '\uff54ype': 'x' } }, 'invalid_value'],
    ['a key of the gate with a blank', { frontmatter: { 'type ': 'x' } }, 'invalid_value'],
    ['a key that no object takes', { frontmatter: JSON.parse('{"__proto__": "x"}') }, 'invalid_value'],
    ['such a key in a value', { frontmatter: { x: JSON.parse('[{"__proto__": "x"}]') } }, 'invalid_value'],
    ['a value that YAML has no form for', { frontmatter: { x: null } }, 'invalid_value'],
    ['more frontmatter than a note has', { frontmatter: { x: 'y'.repeat(20_000) } }, 'invalid_value'],
    [
      'more keys than a note has',
      { frontmatter: Object.fromEntries([...Array(65)].map((_, i) => [`k${i}`, 1])) },
      'invalid_value',
    ],
  ])('with %s is refused', (_what, part, code) => {
    expect(codeOf(part)).toBe(code);
  });

  test('has one hash whatever order its keys came in, and another for any other text', () => {
    const a = candidateHash(parse({ frontmatter: { x: 1, y: { a: 1, b: [2] } } }));
    expect(candidateHash(parse({ frontmatter: { y: { b: [2], a: 1 }, x: 1 } }))).toBe(a);
    for (const other of [{ title: 'Eve' }, { body: 'x' }, { type: 'event' }, { namespace: 'A' }, { frontmatter: {} }]) {
      expect(candidateHash(parse({ frontmatter: { x: 1, y: { a: 1, b: [2] } }, ...other }))).not.toBe(a);
    }
  });
});

describe('the note of a candidate', () => {
  const stamp = { key: 'timestamp', now: new Date('2026-07-28T09:30:00.500Z') };

  test('has what the gate says in its conventional places, and who wrote it last', () => {
    const provenance = provenanceEdits({ agent: 'scribe', source: 'chat' }, false);
    const supersedes = ['Facts/old.md' as VaultPath];
    expect(composeNote(parse({ frontmatter: { tags: ['x'], born: 1815 } }), { supersedes, provenance, stamp })).toBe(
      '---\ntype: fact\ntitle: Ada\ntags:\n  - x\ntimestamp: 2026-07-28T09:30:00Z\nborn: 1815\nsupersedes:\n  - "[[Facts/old]]"\nvault_agent: scribe\nvault_source: chat\n---\nShe wrote it.\n',
    );
  });

  test('is read back as it was meant, whatever its texts are', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 60 });
    fc.assert(
      fc.property(text, text, text, (title, body, value) => {
        let candidate: ReturnType<typeof parse>;
        try {
          candidate = parse({ title, body, frontmatter: { note: value } });
        } catch (error) {
          fc.pre(!(error instanceof AppError));
          throw error;
        }
        const note = parseNote(composeNote(candidate, { supersedes: [], provenance: [], stamp: null }));
        expect(note.frontmatter.data).toEqual({ type: 'fact', title: candidate.title, note: value });
        expect(note.text.slice(note.bodyFrom)).toBe(`${candidate.body}\n`);
      }),
    );
  });
});
