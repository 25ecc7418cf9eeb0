/**
 * The operator's key of embedded mode: given by the environment, else made once and kept in the data folder. Danger:
 * whoever can read the file can use the server, so it is readable by its owner alone, and an empty or broken one is
 * never taken for "no key".
 */
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { isLoopbackHost } from '@vault-mcp/shared/config/loopback';
import { isHeaderKey } from '@vault-mcp/shared/config/remote-endpoint';
import type { Config } from '@vault-mcp/shared/config/schema';
import { CliError, EXIT } from './exit-codes.ts';

const FILE_NAME = 'api-key';
/** 256 bits, written in 43 characters that need no quoting anywhere. */
const KEY_BYTES = 32;
/** A stored key shorter than this was never made by us. */
const MIN_KEY_CHARACTERS = 16;

export interface ApiKey {
  readonly value: string;
  /** `environment`: VAULT_MCP_API_KEY or its file; `stored`: found in the data folder; `made`: made just now. */
  readonly source: 'environment' | 'stored' | 'made';
}

export function apiKeyPath(dataPath: string): string {
  return join(dataPath, FILE_NAME);
}

/** @throws CliError when a server would be reachable from other machines with a key nobody chose */
export function refuseUnchosenKey({ server: { api_key, host } }: Config): void {
  if (api_key === null && !isLoopbackHost(host)) {
    throw new CliError(
      EXIT.usage,
      `Listening on ${host} lets other machines in; set VAULT_MCP_API_KEY first, or listen on 127.0.0.1.`,
    );
  }
}

/** The key a server started now must use. @throws like refuseUnchosenKey */
export function keyToServeWith(config: Config): ApiKey {
  refuseUnchosenKey(config);
  return keyOf(config) ?? makeKey(config.data.path);
}

/** The key in force for this configuration, if there is one. */
export function keyOf(config: Config): ApiKey | undefined {
  if (config.server.api_key !== null) return { value: config.server.api_key, source: 'environment' };
  const stored = readStored(apiKeyPath(config.data.path));
  return stored === undefined ? undefined : { value: stored, source: 'stored' };
}

/** Makes a key where there is none; of two programs at once, both get the one that came first. */
export function makeKey(dataPath: string): ApiKey {
  const path = apiKeyPath(dataPath);
  const value = randomKey();
  try {
    writeKey(path, value, 'wx');
    return { value, source: 'made' };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const stored = readStored(path);
    if (stored === undefined) throw error;
    return { value: stored, source: 'stored' };
  }
}

/** Puts a new key in place of the stored one; a crash leaves the old or the new. */
export function rotateKey(dataPath: string): ApiKey {
  const path = apiKeyPath(dataPath);
  const aside = `${path}.${randomBytes(6).toString('hex')}`;
  const value = randomKey();
  try {
    writeKey(aside, value, 'wx');
    renameSync(aside, path);
  } finally {
    rmSync(aside, { force: true });
  }
  return { value, source: 'made' };
}

function randomKey(): string {
  return randomBytes(KEY_BYTES).toString('base64url');
}

function writeKey(path: string, value: string, flag: 'wx'): void {
  const descriptor = openSync(path, flag, 0o600);
  try {
    writeSync(descriptor, `${value}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function readStored(path: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new CliError(EXIT.failed, `The key in ${path} cannot be read; give it back to this user or delete it.`, {
      cause: error,
    });
  }
  if (!isHeaderKey(text) || text.length < MIN_KEY_CHARACTERS) {
    throw new CliError(EXIT.failed, `${path} does not hold a key; make a new one with vault-mcp key --rotate.`);
  }
  // A copy or a restore may have opened it up.
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
  return text;
}
