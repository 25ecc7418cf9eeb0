/**
 * The agents' keys, as their file says: looked at again while the server runs, so that a key that is revoked opens nothing
 * from the next second on. Danger: a file that cannot be trusted lets nobody in, rather than whoever stood in it last; and
 * digests of keys leave here for comparing alone, never for a log.
 */
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { MAX_KEYS_BYTES, parseAgentKeys, renderAgentKeys } from '../config/agent-keys-text.ts';
import type { Logger } from '../log.ts';
import { syncFolder } from '../vault/sync-folder.ts';

/** In the data folder, unless `agents.keys_file` names another. */
export const AGENT_KEYS_FILE = 'agent-keys.json';

/** How long a look holds, in milliseconds. */
const LOOK_MS = 1_000;
/** How long a change waits for another one. */
const LOCK_MS = 10_000;

export interface AgentKeyRing {
  /** Agent → SHA-256 of its key; empty while the file cannot be trusted. */
  current(): ReadonlyMap<string, Buffer>;
}

/** What a server asks of the file. */
export interface AgentKeysDemands {
  /** Somebody named the file: then it must be there. */
  readonly required: boolean;
  /** Digests of keys that open more than an agent's may. */
  readonly forbidden: readonly Buffer[];
}

export interface AgentKeysOptions extends AgentKeysDemands {
  readonly logger: Pick<Logger, 'error' | 'info'>;
  /** Clock in milliseconds; tests pass their own. */
  readonly now?: () => number;
}

/** The keys file cannot be used; the message is one plain line for a person. */
export class AgentKeysError extends Error {
  override readonly name = 'AgentKeysError';
}

type Keys = ReadonlyMap<string, Buffer>;

const NOBODY: Keys = new Map();

/** @throws AgentKeysError when the file cannot be used at the start */
export function openAgentKeys(path: string, options: AgentKeysOptions): AgentKeyRing {
  const { logger, required, forbidden, now = Date.now } = options;
  let keys: Keys = NOBODY;
  let isDamaged = false;
  let seen = lookAt(path);
  let lookedAt = now();
  let wasThere = false;
  const read = (): void => {
    keys = seen === 'absent' && !required && !wasThere ? NOBODY : readKeys(path, { required, forbidden });
    // From now on its going is a fault, and not how a server without agents looks.
    wasThere ||= seen !== 'absent';
  };
  read();
  const lookAgain = (): void => {
    if (Math.abs(now() - lookedAt) < LOOK_MS) return;
    lookedAt = now();
    const found = lookAt(path);
    if (found === seen) return;
    seen = found;
    try {
      read();
      if (isDamaged) logger.info({ path }, "the agents' keys can be used again");
      isDamaged = false;
    } catch (error) {
      keys = NOBODY;
      isDamaged = true;
      logger.error({ path }, `${(error as Error).message} Until then no agent's key is known.`);
    }
  };
  return {
    current() {
      lookAgain();
      return keys;
    },
  };
}

/** What tells one state of the file from another, contents apart. */
function lookAt(path: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    return [ino, size, mtimeNs, ctimeNs].join(' ');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? 'absent' : `unseen: ${code}`;
  }
}

/**
 * The keys as a server that started now would take them.
 *
 * @throws AgentKeysError when it would not start over them
 */
export function readServedKeys(path: string, demands: AgentKeysDemands): Keys {
  return lookAt(path) === 'absent' && !demands.required ? NOBODY : readKeys(path, demands);
}

/** @throws AgentKeysError */
function readKeys(path: string, { required, forbidden }: AgentKeysDemands): Keys {
  const keys = new Map([...readTexts(path, required)].map(([name, digest]) => [name, Buffer.from(digest, 'hex')]));
  for (const [name, digest] of keys) {
    if (!forbidden.some((other) => other.equals(digest))) continue;
    const next = `Give that agent another one with vault-mcp key add ${name} --replace.`;
    throw unusable(path, `the key of "${name}" is also the operator's or the one for metrics`, next);
  }
  return keys;
}

/**
 * @param isNamed whether the configuration says where the file is
 * @throws AgentKeysError
 */
function readTexts(path: string, isNamed: boolean): Map<string, string> {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw unusable(path, 'it is not there', isNamed ? MAKE_OR_UNSET : PUT_BACK, error);
    throw unusable(path, `it cannot be read (${code})`, LET_READ, error);
  }
  if (bytes.length > MAX_KEYS_BYTES) throw unusable(path, `it is larger than ${MAX_KEYS_BYTES} bytes`, START_ANEW);
  try {
    return parseAgentKeys(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    const why = error instanceof TypeError ? 'it is not valid UTF-8' : (error as Error).message;
    throw unusable(path, why, START_ANEW, error);
  }
}

const MAKE_OR_UNSET = 'Make it with vault-mcp key add NAME, or unset agents.keys_file.';
const PUT_BACK = 'Put it back, or make keys anew with vault-mcp key add NAME.';
const START_ANEW = 'Mend it, or move it away and make keys anew with vault-mcp key add NAME.';
const LET_READ =
  'See to it that it is a file which this program may read, or move it away and make keys with vault-mcp key add NAME.';

function unusable(path: string, why: string, next: string, cause?: unknown): AgentKeysError {
  return new AgentKeysError(`The agents' keys in ${path} cannot be used: ${why}. ${next}`, { cause });
}

/** Agent → digest in hex; none where there is no file. @throws AgentKeysError */
function storedKeys(path: string): Map<string, string> {
  return lookAt(path) === 'absent' ? new Map() : readTexts(path, false);
}

/**
 * Changes the file as one: of two changes at a time both are in it, and a crash leaves the old one or the new. A file that
 * is not there is made, readable by its owner alone.
 *
 * @param locks a folder for the lock; made if need be
 * @param change is given agent → digest in hex; what it throws leaves all as it was
 * @throws AgentKeysError
 */
export async function changeAgentKeys(
  path: string,
  locks: string,
  change: (keys: Map<string, string>) => void,
): Promise<void> {
  mkdirSync(locks, { recursive: true, mode: 0o700 });
  const lock = new Database(join(locks, 'agent-keys.db'), { timeout: LOCK_MS });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    const keys = storedKeys(path);
    change(keys);
    replace(path, renderAgentKeys(keys));
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith('SQLITE_BUSY') !== true) throw error;
    throw new AgentKeysError(`The agents' keys in ${path} are being changed by another command; try again.`);
  } finally {
    // Nothing is waited for while it is held: another change of this process would wait for ever.
    lock.close();
  }
  await syncFolder(dirname(path));
}

/** @throws AgentKeysError */
function replace(path: string, text: string): void {
  const aside = `${path}.${randomUUID()}`;
  try {
    const file = openSync(aside, 'wx', 0o600);
    try {
      writeSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(aside, path);
  } catch (error) {
    rmSync(aside, { force: true });
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    const advice = code === 'EBUSY' ? ' Mount the folder it is in, not the file by itself.' : '';
    throw new AgentKeysError(`The agents' keys in ${path} cannot be written (${code}).${advice}`, { cause: error });
  }
}
