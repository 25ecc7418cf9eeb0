import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@vault-mcp/shared/config/load';
import type { Config } from '@vault-mcp/shared/config/schema';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { apiKeyPath, keyOf, keyToServeWith, makeKey, rotateKey } from './api-key.ts';

let data: string;

beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'vault-mcp-key-'));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

function config(env: Record<string, string> = {}): Config {
  return loadConfig({ mode: 'embedded', env: { VAULT_MCP_CONFIG: '', VAULT_PATH: '/v', DATA_PATH: data, ...env } });
}

describe('the key of embedded mode', () => {
  it('is made once, long and random, readable by its owner alone', () => {
    const made = keyToServeWith(config());
    expect(made.source).toBe('made');
    expect(made.value).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(statSync(apiKeyPath(data)).mode & 0o777).toBe(0o600);
    expect(keyToServeWith(config())).toEqual({ value: made.value, source: 'stored' });
    expect(makeKey(data)).toEqual({ value: made.value, source: 'stored' });
  });

  it('gives way to the one in the environment, and none is made then', () => {
    expect(keyToServeWith(config({ VAULT_MCP_API_KEY: 'chosen' }))).toEqual({ value: 'chosen', source: 'environment' });
    expect(readdirSync(data)).toEqual([]);
  });

  it.each(['0.0.0.0', '192.168.1.5', '::'])('is never made up for %s, where others could reach it', (host) => {
    makeKey(data);
    expect(() => keyToServeWith(config({ BIND_HOST: host }))).toThrow(/VAULT_MCP_API_KEY/);
    expect(keyToServeWith(config({ BIND_HOST: host, VAULT_MCP_API_KEY: 'chosen' })).value).toBe('chosen');
  });

  it('can be replaced, and then the old one is gone and nothing is left beside it', () => {
    const first = makeKey(data);
    const second = rotateKey(data);
    expect(second.value).not.toBe(first.value);
    expect(keyOf(config())?.value).toBe(second.value);
    expect(statSync(apiKeyPath(data)).mode & 0o777).toBe(0o600);
    expect(readdirSync(data)).toEqual(['api-key']);
  });

  it.each(['', '\n', 'short', 'two words that are long enough'])('refuses a file that holds %j', (content) => {
    writeFileSync(apiKeyPath(data), content);
    expect(() => keyToServeWith(config())).toThrow(/does not hold a key.*--rotate/);
  });

  it('closes a file that a copy or restore has opened up', () => {
    makeKey(data);
    chmodSync(apiKeyPath(data), 0o644);
    keyOf(config());
    expect(statSync(apiKeyPath(data)).mode & 0o777).toBe(0o600);
  });
});
