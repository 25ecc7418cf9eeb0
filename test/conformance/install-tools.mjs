/**
 * The programs of `tools/package.json`, installed once and found again, and a Node that can run them: they ask for a
 * newer one than the product does. Danger: the registry may have none of it, so what npm says is passed on.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

const TOOLS = join(import.meta.dirname, 'tools');
const CACHE = join(import.meta.dirname, '../../node_modules/.cache/vault-mcp-conformance');
/** What the tools' own manifests ask for. */
const OLDEST_NODE = [22, 19];
const INSTALL_MS = 300_000;

/** @typedef {{ node: string, released: string, next: string, inspector: string }} Tools paths of programs */

/**
 * @param {string | undefined} node a Node to run the tools with; without one this process's own if it is new enough,
 *   else one from the registry
 * @returns {Tools}
 * @throws Error that says what could not be had
 */
export function installTools(node) {
  const named = node === undefined ? undefined : resolve(node);
  const own = named ?? (isNewEnough(process.versions.node) ? process.execPath : undefined);
  const folder = installedIn(own === undefined);
  const program = (path) => join(folder, 'node_modules', path);
  return {
    node: own ?? program(`node-linux-${process.arch}/bin/node`),
    released: program('conformance-released/dist/index.js'),
    next: program('conformance-next/dist/index.js'),
    inspector: program('@modelcontextprotocol/inspector/clients/launcher/build/index.js'),
  };
}

/** The fixed versions: name in tools/package.json → version. */
export function toolVersions() {
  const { dependencies } = JSON.parse(readFileSync(join(TOOLS, 'package.json'), 'utf8'));
  return Object.fromEntries(
    Object.entries(dependencies).map(([name, version]) => [name, version.replace(/^npm:.*@/, '')]),
  );
}

function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
}

function installedIn(withNode) {
  if (withNode && !(process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch))) {
    throw new Error(`Node ${OLDEST_NODE.join('.')} or newer is needed here: run with it, or name one with --node.`);
  }
  const lock = readFileSync(join(TOOLS, 'package-lock.json'));
  const name = createHash('sha256').update(lock).digest('hex').slice(0, 16) + (withNode ? '-node' : '');
  const folder = join(CACHE, name);
  if (!existsSync(folder)) install(folder, withNode);
  return folder;
}

/** Beside its place first, so that a broken or a concurrent installation never stands there half done. */
function install(folder, withNode) {
  mkdirSync(CACHE, { recursive: true });
  const scratch = mkdtempSync(join(CACHE, 'new-'));
  try {
    cpSync(TOOLS, scratch, { recursive: true });
    // Not `ci`: an optional package of one of them, for another system, is not in every registry.
    const args = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const run = spawnSync('npm', withNode ? args : [...args, '--omit=optional'], {
      cwd: scratch,
      encoding: 'utf8',
      timeout: INSTALL_MS,
    });
    if (run.error !== undefined || run.status !== 0) {
      throw new Error(`npm could not install the conformance tools:\n${run.error?.message ?? run.stderr.trim()}`);
    }
    if (withNode && !existsSync(join(scratch, `node_modules/node-linux-${process.arch}/bin/node`))) {
      throw new Error('The registry has no Node 24 for this machine: run with a newer Node, or name one with --node.');
    }
    if (!existsSync(folder)) renameSync(scratch, folder);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
