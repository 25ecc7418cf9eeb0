/**
 * `<data>/server.json` tells other commands that a server holds this data folder and where it answers. Danger: a
 * killed server leaves the file behind, and its port and even its process number may since belong to another program,
 * which must not be sent the key; so a file is believed only when the address proves to know the secret written in it.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHALLENGE_HEADER, isProof, newNonce, PROOF_HEADER } from '@vault-mcp/api/http/instance-proof';
import { z } from 'zod';

const schema = z.object({
  url: z.url({ protocol: /^https?$/ }),
  pid: z.int().positive(),
  secret: z.string().min(32),
});

/** Where a server answers, which process it is, and what it alone knows besides who may read the file. */
export type ServerRecord = z.infer<typeof schema>;

const PROBE_TIMEOUT_MS = 2_000;

export function serverJsonPath(dataPath: string): string {
  return join(dataPath, 'server.json');
}

/** Says that this process serves the data folder. The file is whole at any instant, and this user's alone. */
export function writeServerRecord(dataPath: string, record: ServerRecord): void {
  const path = serverJsonPath(dataPath);
  const aside = `${path}.${record.pid}`;
  writeFileSync(aside, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  renameSync(aside, path);
}

/** Takes the record back, unless another server has put its own there since. */
export function removeServerRecord(dataPath: string, pid: number): void {
  if (readServerRecord(dataPath)?.pid === pid) rmSync(serverJsonPath(dataPath), { force: true });
}

/** What is written there; undefined when nothing is, or nothing that can be understood. */
export function readServerRecord(dataPath: string): ServerRecord | undefined {
  try {
    return schema.parse(JSON.parse(readFileSync(serverJsonPath(dataPath), 'utf8')));
  } catch {
    // Missing, half-written by hand, or of another version: either way it names no server to call.
    return undefined;
  }
}

/** The server that really holds the data folder now; a stale record is undefined. */
export async function findRunningServer(dataPath: string): Promise<ServerRecord | undefined> {
  const record = readServerRecord(dataPath);
  if (record === undefined || !isAlive(record.pid)) return undefined;
  return (await provesToBe(record)) ? record : undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, but belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Asks without the key. */
async function provesToBe({ url, secret }: ServerRecord): Promise<boolean> {
  const challenge = newNonce();
  try {
    const response = await fetch(new URL('/healthz', url), {
      headers: { [CHALLENGE_HEADER]: challenge },
      redirect: 'error',
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    });
    await response.body?.cancel();
    return isProof(response.headers.get(PROOF_HEADER), secret, challenge);
  } catch {
    return false; // nobody listens, or somebody who does not speak HTTP
  }
}
