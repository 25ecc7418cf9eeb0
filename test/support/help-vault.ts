/**
 * The public Obsidian help vault, where it is at hand: a real vault in 34 languages that is no part of the project.
 * `TEST_SHARED_FOLDER` names the folder that holds it, else the folder beside the repository is looked at; tests that
 * need it skip, visibly, where there is none.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const shared = process.env.TEST_SHARED_FOLDER ?? resolve(import.meta.dirname, '../../../shared');
const ARCHIVE = join(shared, 'corpora/obsidian-help.tar.gz');

export const hasHelpVault = existsSync(ARCHIVE);

/** Unpacks some of its folders, or all of them, into `target`, which exists. */
export function unpackHelpVault(target: string, folders: readonly string[] = []): void {
  execFileSync('tar', ['xzf', ARCHIVE, '-C', target, ...folders.map((folder) => `./${folder}`)]);
}
