/**
 * Starts server.py as a process of its own, in a Python environment that is made once and kept outside the repository. Danger:
 * where Python or its packages cannot be had, figures of a sentence model are left out, never made up: the reason is answered
 * instead of an address, and a model whose vectors make no sense is such a reason too.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const run = promisify(execFile);
const SERVER = join(import.meta.dirname, 'server.py');
const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');

/** What the endpoint calls its model, and the length of its vectors. */
export const SENTENCE_MODEL = { model: 'all-minilm-l6-v2', dims: 384 };

/**
 * @param {string} folder where the Python environment is kept between runs
 * @returns {Promise<{url: string, stop: () => Promise<void>} | {unavailable: string}>} `url` ends before `/v1`
 */
export async function startSentenceModel(folder = join(tmpdir(), 'vault-mcp-sentence-model')) {
  try {
    const python = await environment(folder);
    await run(python, [SERVER, '--check']);
    return await listening(python);
  } catch (error) {
    const said = String(error.stderr || error.message).trim();
    return { unavailable: said.split('\n').at(-1) ?? 'no reason was given' };
  }
}

/** Made beside and renamed: one that was broken off is never taken for whole. */
async function environment(folder) {
  const python = join(folder, 'bin', 'python');
  if (existsSync(python)) return python;
  const made = `${folder}.${process.pid}`;
  mkdirSync(made, { recursive: true });
  try {
    await run('python3', ['-m', 'venv', made]);
    const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps', '-r', REQUIREMENTS];
    await run(join(made, 'bin', 'python'), install);
    renameSync(made, folder);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
  return python;
}

async function listening(python) {
  const child = spawn(python, [SERVER], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const [first] = await Promise.race([once(lines, 'line'), once(child, 'exit')]);
  const port = /^listening (\d+)$/.exec(String(first))?.[1];
  if (port === undefined) throw new Error('the sentence model did not start');
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
