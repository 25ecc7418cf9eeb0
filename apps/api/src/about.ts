/**
 * Which build this is, for `/readyz` and for MCP clients. Read once by a composition root; a build that cannot be
 * named (no git checkout, no `REVISION` file, no `repository` in package.json) says `unknown`, or null for the source,
 * rather than refusing to start.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { About } from './operations/status.ts';

/** The repository's root, from `src/` as from `dist/`. */
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    // Absent in some builds by design; the caller has another place to look, or says `unknown`.
    return undefined;
  }
}

/** The commit: from the file an image's build leaves, else from the checkout. */
function revisionOf(root: string): string {
  const built = readText(join(root, 'REVISION'));
  if (built) return built;
  const head = readText(join(root, '.git', 'HEAD')) ?? '';
  const reference = /^ref: (refs\/[\w./-]+)$/.exec(head)?.[1];
  if (!reference) return head || 'unknown';
  const packed = readText(join(root, '.git', 'packed-refs')) ?? '';
  const line = packed.split('\n').find((each) => each.endsWith(` ${reference}`));
  return readText(join(root, '.git', reference)) ?? line?.split(' ')[0] ?? 'unknown';
}

/**
 * @param startedAt when the process started, milliseconds since the epoch
 * @param root folder that holds the product's package.json; tests pass their own
 */
export function describeProgram(startedAt: number, root: string = ROOT): About {
  const manifest = JSON.parse(readText(join(root, 'package.json')) ?? '{}') as Record<string, unknown>;
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);
  const repository = manifest.repository as { url?: unknown } | string | undefined;
  return {
    version: text(manifest.version) ?? 'unknown',
    revision: revisionOf(root),
    source: text(typeof repository === 'object' ? repository.url : repository),
    licence: text(manifest.license) ?? 'unknown',
    startedAt,
  };
}
