import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { openIndexReader } from '@vault-mcp/shared/index-db/reader';
import { type AccessRule, createAccess } from '@vault-mcp/shared/vault/access';
import { viewOf } from '@vault-mcp/shared/vault/view';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type IndexedVault, indexVault } from '../../../../test/support/indexed-vault.ts';
import { operationContext } from '../../../../test/support/reading-context.ts';
import type { OperationContext } from '../context.ts';
import { mapText } from '../rendering/map-text.ts';
import { mapNote } from './map-note.ts';
import { readNote } from './read-note.ts';

const by = (target: string, text = '# Old\n') => `---\nsuperseded_by: ${target}\n---\n${text}`;

const FILES = {
  'Facts/Boiler 2023.md': by('"[[Facts/Boiler 2024]]"', '# Boiler\n\n## Pressure\n\n1.5 bar\n'),
  'Facts/Boiler 2024.md': by('"[[Facts/Boiler 2025]]"'),
  'Facts/Boiler 2025.md': '# Boiler\n\n2.0 bar\n',
  'Facts/Gone.md': by('"[[Facts/Nowhere]]"'),
  'Facts/Self.md': by('Facts/Self.md'),
  'Facts/Odd.md': by('[[[1]]]'),
  'Facts/Empty.md': by(''),
  'Facts/Unquoted.md': by('[[Facts/Boiler 2024]]'),
  'Facts/Listed.md': by('["[[Facts/Boiler 2024]]"]'),
  'Facts/Secret successor.md': by('"[[Private/New]]"'),
  'Facts/Through secret.md': by('"[[Private/Between]]"'),
  'Private/New.md': '# New\n',
  'Private/Between.md': by('"[[Facts/Boiler 2025]]"'),
};

let vault: IndexedVault;
let context: OperationContext;
beforeAll(async () => {
  vault = await indexVault({ files: FILES });
  await vault.settled();
  context = await operationContext(vault);
}, 60_000);
afterAll(() => vault.remove());

const seenBy = (...rules: AccessRule[]): OperationContext => ({
  ...context,
  vault: viewOf(context.vault, createAccess(rules)),
});

/** What reading and mapping say alike. */
async function saidOf(path: string, on = context) {
  const [read, map] = await Promise.all([readNote(on, { path }), mapNote(on, { path })]);
  expect(map).toHaveProperty('etag', read.etag);
  const [ofRead, ofMap] = [read, map].map((answer) => ('superseded_by' in answer ? answer.superseded_by : null));
  expect(ofMap).toEqual(ofRead);
  return ofRead;
}

describe('a superseded note that is read', () => {
  it('names the note at the end of its chain', async () => {
    const head = 'Facts/Boiler 2025.md';
    expect(await saidOf('Facts/Boiler 2023.md')).toEqual({ head });
    expect(await saidOf('Facts/Boiler 2024.md')).toEqual({ head });
    expect(await saidOf('Facts/Unquoted.md')).toEqual({ head });
    expect(await saidOf('Facts/Listed.md')).toEqual({ head });
    const section = await readNote(context, { path: 'Facts/Boiler 2023.md', section: 'Pressure' });
    expect(section).toMatchObject({ content: '## Pressure\n\n1.5 bar\n', superseded_by: { head } });
  });

  it('says what is wrong with a chain that leads to none', async () => {
    expect(await saidOf('Facts/Gone.md')).toEqual({ head: null, problem: 'dangling' });
    expect(await saidOf('Facts/Self.md')).toEqual({ head: null, problem: 'self' });
  });

  it('is followed by what its file says now, and by the files there are now', async () => {
    vault.put('Facts/Fresh.md', by('"[[Facts/Boiler 2024]]"'));
    expect(await saidOf('Facts/Fresh.md')).toEqual({ head: 'Facts/Boiler 2025.md' });
    const [from, to] = ['Facts/Boiler 2025.md', 'Facts/Boiler 2026.md'].map((path) => join(vault.vaultPath, path));
    await rename(from ?? '', to ?? '');
    expect(await saidOf('Facts/Fresh.md')).toEqual({ head: null, problem: 'dangling' });
    await rename(to ?? '', from ?? '');
  });

  it('names what it says itself where there is no index', async () => {
    const reader = openIndexReader(join(vault.base, 'no index.db'));
    expect(await saidOf('Facts/Boiler 2023.md', { ...context, reader })).toEqual({ head: 'Facts/Boiler 2024.md' });
  });

  it('says so before anything else in words', async () => {
    const text = async (path: string) => mapText(await mapNote(context, { path })).text.split('\n')[0];
    expect(await text('Facts/Boiler 2023.md')).toBe('Superseded: read "Facts/Boiler 2025.md" instead.');
    expect(await text('Facts/Gone.md')).toBe(
      'Superseded, and no note that holds now is known: what it names leads nowhere.',
    );
    expect(await text('Private/New.md')).toMatch(/^Private\/New\.md \| etag/);
  });
});

describe('a note that holds', () => {
  it('says nothing of it, nor does one whose key is no text', async () => {
    for (const path of ['Facts/Boiler 2025.md', 'Facts/Odd.md', 'Facts/Empty.md']) {
      expect(await readNote(context, { path })).not.toHaveProperty('superseded_by');
      expect(await mapNote(context, { path })).not.toHaveProperty('superseded_by');
    }
  });
});

describe('who may read a part of the vault', () => {
  const facts = () => seenBy({ prefix: 'Facts', read: true });

  it('is told of no note that is hidden, and not whether there is one', async () => {
    const none = { head: null, problem: 'not_readable' };
    expect(await saidOf('Facts/Secret successor.md', facts())).toEqual(none);
    expect(await saidOf('Facts/Gone.md', facts())).toEqual(none);
    expect(await saidOf('Facts/Through secret.md', facts())).toEqual(none);
  });

  it('is told of one that is not', async () => {
    expect(await saidOf('Facts/Boiler 2023.md', facts())).toEqual({ head: 'Facts/Boiler 2025.md' });
    expect(await saidOf('Facts/Self.md', facts())).toEqual({ head: null, problem: 'self' });
    expect(await saidOf('Facts/Through secret.md')).toEqual({ head: 'Facts/Boiler 2025.md' });
    const all = seenBy({ prefix: '', read: true });
    expect(await saidOf('Facts/Secret successor.md', all)).toEqual({ head: 'Private/New.md' });
  });
});
