import { describe, expect, it } from 'vitest';
import { parseVaultPath, type VaultPath } from './path.ts';
import {
  portabilityProblem,
  refuseProtected,
  requireFolderName,
  requireModestDepth,
  requireNoteSuffix,
  requirePortableNames,
} from './write-rules.ts';

const DOCUMENTS = ['.pdf'];

describe('what may be written', () => {
  it.each(['index.md', 'INDEX.md', 'Index.MD', ''])('protects %j at the root', (path) => {
    expect(() => refuseProtected(parseVaultPath(path))).toThrow(expect.objectContaining({ code: 'invalid_path' }));
  });

  it('protects dotted components even in a path that was not parsed', () => {
    expect(() => refuseProtected('a/.git/config' as VaultPath)).toThrow(/protected/);
  });

  it('leaves an index.md in a folder alone', () => {
    expect(() => refuseProtected(parseVaultPath('House/index.md'))).not.toThrow();
  });

  it.each([
    ['a\tb', /control/],
    ['trailing.', /dot or space/],
    ['trailing ', /dot or space/],
    ['é'.repeat(128), /255 bytes/],
  ])('says why %j is no portable name', (name, problem) => {
    expect(portabilityProblem(name)).toMatch(problem);
  });

  it('asks it of every segment', () => {
    expect(() => requirePortableNames(parseVaultPath('good/bad /good.md'))).toThrow(/"bad " ends in/);
    expect(() => requirePortableNames(parseVaultPath(`good/${'é'.repeat(127)}`))).not.toThrow();
  });

  it('takes a path of 100 parts and none of 101', () => {
    expect(() => requireModestDepth(parseVaultPath(`${'a/'.repeat(99)}b.md`))).not.toThrow();
    expect(() => requireModestDepth(parseVaultPath(`${'a/'.repeat(100)}b.md`))).toThrow(/folders deep/);
  });

  it('asks for the suffix of a note and adds none', () => {
    expect(() => requireNoteSuffix(parseVaultPath('a.MD'), DOCUMENTS)).not.toThrow();
    expect(() => requireNoteSuffix(parseVaultPath('a'), DOCUMENTS)).toThrow(
      expect.objectContaining({
        code: 'unsupported_suffix',
        message: expect.stringMatching(/notes end in "\.md", documents in "\.pdf"/),
      }),
    );
    expect(() => requireNoteSuffix(parseVaultPath('a'), [])).toThrow(/no note: notes end in "\.md"\. No suffix/);
    expect(() => requireNoteSuffix(parseVaultPath('a.Pdf'), DOCUMENTS)).toThrow(
      expect.objectContaining({ code: 'is_document' }),
    );
  });

  it('takes no folder that is named like a file', () => {
    expect(() => requireFolderName(parseVaultPath('a/b.md'), DOCUMENTS)).toThrow(/named like a file/);
    expect(() => requireFolderName(parseVaultPath('a/b.png'), DOCUMENTS)).not.toThrow();
  });
});
