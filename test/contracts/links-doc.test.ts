// docs/links.md shows where links lead; the product reads them so.
import { parseNote } from '@vault-mcp/shared/vault/note/parse';
import { resolveLink } from '@vault-mcp/shared/vault/note/resolve-link';
import { createVaultNames } from '@vault-mcp/shared/vault/note/vault-names';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { describe, expect, it } from 'vitest';
import { page, rowsOf } from '../support/doc-pages.ts';

const spans = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span);

const doc = page('docs/links.md');
const files = spans(/^In a vault with the files[\s\S]*?:$/m.exec(doc.text)?.[0] ?? '') as VaultPath[];
const names = createVaultNames(files);
const rows = rowsOf(doc, '# How links are read');

describe('the page on links', () => {
  it('has a vault, and links in it', () => {
    expect(files.length).toBeGreaterThan(3);
    expect(rows.length).toBeGreaterThan(5);
  });

  it.each(rows)('says where %s in %s leads: %s', (written = '', place = '', leads = '') => {
    const [from] = spans(place) as VaultPath[];
    const [link] = parseNote(spans(written)[0] ?? '').links;
    if (from === undefined || link === undefined) throw new Error('A row names a note, and a link in it.');
    const resolution = resolveLink(link, from, names);
    const found =
      resolution.state === 'resolved' ? [resolution.path] : resolution.state === 'broken' ? [] : resolution.candidates;
    expect([...found].sort()).toEqual(spans(leads).sort());
    expect(leads === 'nowhere').toBe(found.length === 0);
  });
});
