/**
 * The public Obsidian help vault as a benchmark input, unpacked once into a temporary folder. It is no part of the
 * project: where its archive is not at hand, the benches that need it are left out.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** What people ask of it, in six languages: words, identifiers and sentences. */
const QUERIES = [
  'how do I sync my vault between devices',
  'callout syntax',
  'embed a heading from another note',
  'obsidian://open',
  'v1.8.10',
  'Wie füge ich ein Bild in eine Notiz ein',
  'Tastenkürzel ändern',
  'プラグインをインストールする',
  '同期',
  '如何创建模板',
  '标签',
  'การซิงค์',
  'كيف أضيف رابطا داخليا',
];

/** @returns {{path: string, queries: string[]} | null} */
export function helpVault() {
  const shared = process.env.TEST_SHARED_FOLDER ?? resolve('../shared');
  const archive = join(shared, 'corpora/obsidian-help.tar.gz');
  if (!existsSync(archive)) return null;
  const path = join(tmpdir(), 'vault-mcp-bench-help');
  if (!existsSync(path)) {
    const part = `${path}.part`;
    rmSync(part, { recursive: true, force: true });
    mkdirSync(part, { recursive: true });
    execFileSync('tar', ['xzf', archive, '-C', part]);
    renameSync(part, path);
  }
  return { path, queries: QUERIES };
}
