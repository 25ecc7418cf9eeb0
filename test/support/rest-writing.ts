/**
 * One served vault for a file of tests about writing over REST, with its files as they were before each test; and the
 * question every refusal has to answer, whether anything changed.
 */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { VaultChange } from '@vault-mcp/shared/records/history';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { type ServedVault, serveVault } from './served-vault.ts';
import { fillVault, type VaultFiles } from './vault-files.ts';
import { contentOf } from './writable-vault.ts';

/** The same instant as STAMP. */
const NOW = new Date('2026-07-28T09:30:15.750Z');

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Every answer of a write is JSON. */
  readonly body: Record<string, unknown>;
}

export interface RestWriting {
  readonly served: ServedVault;
  ask(method: string, path: string, init?: Omit<RequestInit, 'method'>): Promise<Answer>;
  /** What the history was told of since the test began. */
  readonly recorded: readonly VaultChange[];
  /** The text of a file on the disk. */
  text(path: string): Promise<string | undefined>;
  /** Every entry by its path, a file's bytes as Latin-1, without the generated folders of the server. */
  everything(): Promise<Record<string, string>>;
  /** Asks for something that has to be refused in the form of every refusal, and makes sure that nothing has changed. */
  refused(ask: () => Promise<Answer>, code: string, message?: RegExp): Promise<Answer>;
}

export function restWritingSuite(files: VaultFiles, overrides: Readonly<Record<string, unknown>> = {}): RestWriting {
  let made: ServedVault | undefined;
  const served = () => {
    if (made === undefined) throw new Error('The server runs within a test only.');
    return made;
  };
  const recorded: VaultChange[] = [];
  const parts = { now: () => NOW, history: { record: (change: VaultChange) => void recorded.push(change) } };
  beforeAll(async () => {
    made = await serveVault(files, overrides, { parts });
  });
  afterAll(() => made?.close());
  beforeEach(async () => {
    const { vaultPath } = served();
    for (const name of await readdir(vaultPath)) await rm(join(vaultPath, name), { recursive: true });
    fillVault(vaultPath, files);
    recorded.length = 0;
  });
  const everything = () => contentOf(served().vaultPath);
  return {
    get served() {
      return served();
    },
    recorded,
    async ask(method, path, init = {}) {
      const answer = await served().get(path, { ...init, method });
      const body = (await answer.json()) as Record<string, unknown>;
      return { status: answer.status, headers: answer.headers, body };
    },
    async text(path) {
      const bytes = (await everything())[path];
      return bytes === undefined ? undefined : Buffer.from(bytes, 'latin1').toString('utf8');
    },
    everything,
    async refused(ask, code, message = /./) {
      const before = await everything();
      const answer = await ask();
      expect(answer.body).toEqual({ code, error: expect.stringMatching(message) });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(await everything()).toEqual(before);
      return answer;
    },
  };
}
