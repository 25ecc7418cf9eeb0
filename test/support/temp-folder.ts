/**
 * A temporary folder for one test file, gone afterwards. Real files on the real file system: what a test proves
 * about names, locks and renames is only worth something there.
 */
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TempFolder {
  /** Absolute, with symbolic links resolved, so that it compares equal to what a resolved vault root says. */
  readonly path: string;
  /** Deletes it with everything in it. Idempotent. */
  remove(): Promise<void>;
}

/** @param label a word that tells a leftover's origin */
export async function createTempFolder(label = 'test'): Promise<TempFolder> {
  const path = await realpath(await mkdtemp(join(tmpdir(), `vault-mcp-${label}-`)));
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) };
}
