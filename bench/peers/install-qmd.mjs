/**
 * qmd and, where this Node is too old for it, a Node that it runs on, in a folder outside the project: with its models' runtime it
 * is too heavy to depend on, and one bench needs it. Danger: npm left to itself takes an old qmd on an old Node, so the version
 * is fixed; no install script runs, and what is optional (the model runtime's binaries, 660 MB) stays away.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export const QMD_VERSION = '2.8.3';
const SQLITE_VEC_VERSION = '0.1.9';
const [OLDEST_NODE, GOT_NODE] = [22, 24];
const INSTALL_MS = 300_000;
/** Where the registry does not answer, that is known soon. */
const SOON = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=3000'];

/**
 * @param {string} cache folder in which it is installed once, and found again
 * @returns {{node: string, module: string} | {unavailable: string}} a Node, and the address of the library; or why there is none
 */
export function installQmd(cache) {
  const { platform, arch } = process;
  if (platform !== 'linux' || !['x64', 'arm64'].includes(arch))
    return { unavailable: `it is not tried on ${platform} ${arch}` };
  const bringNode = Number(process.versions.node.split('.')[0]) < OLDEST_NODE;
  const folder = join(cache, `qmd-${QMD_VERSION}${bringNode ? `-node${GOT_NODE}` : ''}`);
  const reason = existsSync(folder)
    ? null
    : install(cache, folder, [
        `@tobilu/qmd@${QMD_VERSION}`,
        `sqlite-vec-linux-${arch}@${SQLITE_VEC_VERSION}`,
        ...(bringNode ? [`node-linux-${arch}@${GOT_NODE}`] : []),
      ]);
  if (reason !== null) return { unavailable: reason };
  const node = bringNode ? join(folder, `node_modules/node-linux-${arch}/bin/node`) : process.execPath;
  return { node, module: pathToFileURL(join(folder, 'node_modules/@tobilu/qmd/dist/index.js')).href };
}

/** Beside its place first, so that a broken installation never stands there half done. @returns why it failed, or null */
function install(cache, folder, packages) {
  mkdirSync(cache, { recursive: true });
  const scratch = mkdtempSync(join(cache, 'new-'));
  try {
    const quiet = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
    const args = [
      'install',
      '--prefix',
      scratch,
      '--ignore-scripts',
      '--omit=optional',
      ...quiet,
      ...SOON,
      ...packages,
    ];
    const run = spawnSync('npm', args, { cwd: scratch, encoding: 'utf8', timeout: INSTALL_MS });
    if (run.error !== undefined || run.status !== 0) {
      return `npm could not install it: ${run.error?.message ?? run.stderr.trim().split('\n')[0]}`;
    }
    renameSync(scratch, folder);
    return null;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
