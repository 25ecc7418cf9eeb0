import { describe, expect, it } from 'vitest';
import { KEYS, nearestKey, SECTIONS } from './key-table.ts';

describe('the key somebody meant', () => {
  it.each([
    ['search.defualt_k', 'search.default_k'],
    ['vault.note_max_byte', 'vault.note_max_bytes'],
    ['server.doc_ocr', 'vault.doc_ocr'],
    ['serch', 'search'],
    ['timezone', 'time_zone'],
    ['SEARCH_DEFAULT_K', 'search.default_k'],
    ['reconcile.seconds', 'index.reconcile_seconds'],
  ])('%s is answered with %s', (unknown, meant) => {
    expect(nearestKey(unknown)).toBe(meant);
  });

  it('is never a secret, which may not stand in a file', () => {
    for (const { name, setting } of KEYS.values()) {
      if (setting.secret === true) expect(nearestKey(`${name}s`)).not.toBe(name);
    }
  });

  it('is always one that exists', () => {
    for (const unknown of ['', '.', 'x', 'vault.', '.path', '__proto__', 'constructor.name']) {
      const meant = nearestKey(unknown);
      expect(KEYS.has(meant) || SECTIONS.has(meant), unknown).toBe(true);
    }
  });
});
