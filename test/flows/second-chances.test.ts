/**
 * What could not be indexed once and can be now: nothing of it may need the file to change, or a person to know that
 * the index has to be rebuilt.
 */
import { createAnalyzer } from '@vault-mcp/shared/analysis/analyzer';
import { matchExpression } from '@vault-mcp/shared/analysis/match-expression';
import { afterEach, describe, expect, it } from 'vitest';
import { scannedPdf } from '../fixtures/pdf-files.ts';
import { type IndexedVault, indexVault } from '../support/indexed-vault.ts';

let vault: IndexedVault;
afterEach(() => vault?.remove());

async function started(options: Parameters<typeof indexVault>[0]): Promise<void> {
  vault = await indexVault(options);
  await vault.settled();
}

async function restarted(env: Readonly<Record<string, string>>): Promise<void> {
  await vault.stop();
  await started({ base: vault.base, env });
}

function pathsWith(word: string): string[] {
  const match = matchExpression(createAnalyzer('en').queryTerms(word), 'all') ?? '';
  const hits = vault.reader.lexicalCandidates(match, { excludeDirs: [], includeSuperseded: true, readable: null }, 50);
  return vault.reader.chunks(hits.map(({ chunkId }) => chunkId)).map((chunk) => chunk.path);
}

it('a note without a word in it is found by its name', async () => {
  await started({ files: { 'Walnut.md': '', 'Blank/Hazel.md': ' \n\n' } });
  expect(pathsWith('walnut')).toEqual(['Walnut.md']);
  expect(pathsWith('hazel')).toEqual(['Blank/Hazel.md']);
});

it('a note is found by its file name, whatever its heading says', async () => {
  await started({
    files: { 'Decisions/DEC-0031.md': '# Storage\n\nFiles, no database.\n', 'Home.md': 'The boiler.\n' },
  });
  expect(pathsWith('DEC-0031')).toEqual(['Decisions/DEC-0031.md']);
});

describe('a file that was too large', () => {
  it('is indexed once the limit is raised, and until then each reconcile leaves the index as it is', async () => {
    const files = { 'Long.md': `${'word '.repeat(1000)} persimmon`, 'Home.md': 'The boiler.\n' };
    await started({ files, env: { NOTE_MAX_BYTES: '4000' } });
    expect(vault.reader.quarantined(10)).toHaveLength(1);
    const generation = vault.reader.generation();
    await vault.queue.add('reconcile', {});
    await vault.settled();
    expect(vault.reader.generation()).toBe(generation);
    await restarted({ NOTE_MAX_BYTES: '8000' });
    expect(vault.reader.quarantined(10)).toEqual([]);
    expect(pathsWith('persimmon')).toEqual(['Long.md']);
  });
});

describe('a scan', () => {
  const reason = () => vault.reader.fileByPath('Files/scan.pdf')?.reason;
  const scan = async () => ({ 'Files/scan.pdf': await scannedPdf(['Invoice for one persimmon tree']) });

  it('is read again when OCR is switched on', async () => {
    await started({ files: await scan(), env: { DOC_OCR: 'false' } });
    expect(reason()).toContain('vault.doc_ocr');
    await restarted({ DOC_OCR: 'true' });
    expect(reason()).toBe('ocr');
    expect(pathsWith('persimmon')).toContain('Files/scan.pdf');
  });

  it('is read again when the languages of OCR change, and found by what was read before while they are lacking', async () => {
    await started({ files: await scan() });
    expect(reason()).toBe('ocr');
    // A language that nobody has installed: what it would read is not the point, that it is asked for is.
    await restarted({ DOC_OCR_LANGUAGES: 'zzz' });
    expect(reason()).toMatch(/^ocr: Its text is what OCR read of it before\. This is a scan, and .*zzz/);
    expect(pathsWith('persimmon')).toHaveLength(1);
    await restarted({ DOC_OCR_LANGUAGES: 'eng' });
    expect(reason()).toBe('ocr');
  });
});
