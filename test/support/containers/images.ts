/**
 * The images that test/containers runs: built once per run (test/containers/build-images.ts), as a user would build them,
 * from NODE_IMAGE where that is set.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const ROOT = join(import.meta.dirname, '../../..');

export const IMAGES = {
  api: 'vault-mcp-test/api',
  indexer: 'vault-mcp-test/indexer',
  embedded: 'vault-mcp-test/embedded',
  /** Stands in for ollama/ollama. */
  ollama: 'vault-mcp-test/ollama',
} as const;

/** What the build says of itself, to be found again in labels and in /readyz. */
export const REVISION = 'revision-of-the-tests';
export const SOURCE = 'https://example.invalid/vault-mcp';

const BUILD_LIMIT_MS = 20 * 60_000;
const run = promisify(execFile);

/** Whether container tests were asked for: they need a Docker engine and minutes. */
export const withContainers = process.env.TEST_CONTAINERS === '1';

/** @throws Error with what the build printed */
export async function buildImages(): Promise<void> {
  for (const target of ['api', 'indexer', 'embedded'] as const) {
    await build(IMAGES[target], ROOT, ['--target', target]);
  }
  await build(IMAGES.ollama, join(ROOT, 'test/containers/fake-ollama'), []);
}

async function build(image: string, context: string, options: readonly string[]): Promise<void> {
  const given = { NODE_IMAGE: process.env.NODE_IMAGE, REVISION, SOURCE };
  const args = Object.entries(given).flatMap(([name, value]) => (value ? ['--build-arg', `${name}=${value}`] : []));
  const command = ['build', ...options, ...args, '--tag', image, context];
  try {
    await run('docker', command, { timeout: BUILD_LIMIT_MS, maxBuffer: 64 * 1024 * 1024 });
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    // Without its cause, which says all of it again.
    throw new Error(`docker ${command.join(' ')} failed:\n${stderr.slice(-4_000)}`);
  }
}
