/** A vault with a discard log of its own, on real files under real locks, for tests of that log. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Logger, silentLogger } from '@vault-mcp/shared/log';
import type { NewDiscard } from '@vault-mcp/shared/records/discard-lines';
import type { DiscardLog, DiscardRange } from '@vault-mcp/shared/records/discard-log';
import { openDiscardLog } from '@vault-mcp/shared/records/discards';
import { openPathLocks } from '@vault-mcp/shared/vault/lock';
import { openVault } from '@vault-mcp/shared/vault/vault';
import { createTempFolder } from './temp-folder.ts';

export interface DiscardingVault {
  readonly root: string;
  /** Absolute path of a file in its root; by default the log's. */
  file(name?: string): string;
  /** What stands in the log, by line. */
  lines(): string[];
  /** The names of the log's files. */
  logs(): string[];
  /** As another process has it: it remembers nothing. */
  open(options?: { readonly maxBytes?: number; readonly logger?: Logger }): Promise<DiscardLog>;
  remove(): Promise<void>;
}

export const DISCARDED_AT = '2026-11-30T12:00:00.000Z';

export async function createDiscardingVault(): Promise<DiscardingVault> {
  const folder = await createTempFolder('discards');
  const root = join(folder.path, 'vault');
  mkdirSync(root);
  writeFileSync(join(root, 'a.md'), 'a note\n');
  const locks = await openPathLocks(join(folder.path, 'data'));
  const file = (name = '.discarded.log') => join(root, name);
  return {
    ...{ root, file },
    lines: () => readFileSync(file(), 'utf8').split('\n').slice(0, -1),
    logs: () => readdirSync(root).filter((name) => name.startsWith('.discarded')),
    async open(options = {}) {
      const vault = await openVault(root, { docSuffixes: [] });
      return openDiscardLog(vault, locks, { logger: silentLogger(), now: () => new Date(DISCARDED_AT), ...options });
    },
    async remove() {
      locks.close();
      await folder.remove();
    },
  };
}

export const discarded = (id: string, overrides: Partial<NewDiscard> = {}): NewDiscard => ({
  ...{ id, kind: 'discarded', agent: 'claude', candidate: { title: `Title ${id}`, body: `Body of ${id}.` } },
  ...overrides,
});

/** One after the other. @returns their numbers */
export async function appendAll(log: DiscardLog, ids: readonly string[]): Promise<number[]> {
  const numbers: number[] = [];
  for (const id of ids) numbers.push(await log.append(discarded(id)));
  return numbers;
}

/** The entries that a listing names, by the id they were made with. */
export async function listedIds(log: DiscardLog, range: Partial<DiscardRange> = {}): Promise<(string | undefined)[]> {
  const { entries } = await log.list({ limit: 100, ...range });
  return entries.map(({ title }) => title?.slice('Title '.length));
}
