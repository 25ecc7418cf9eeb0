/**
 * The real programs, killed in the middle of writes over both surfaces: after the next start every answered write is
 * there, every other one is whole or never was, and nothing half done is left.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { silentLogger } from '@vault-mcp/shared/log';
import { openAuditLog } from '@vault-mcp/shared/records/audit';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CliHome, type Running } from '../support/cli.ts';
import { type Program, twoPrograms } from '../support/two-programs.ts';
import { type Asked, WritingLane } from '../support/writing-lane.ts';

const LANES = 5;
/** The stream that a kill falls into, before it may fall. */
const WRITES_A_ROUND = 30;
/** Half a minute on an idle machine; what is in the way of a busy one is no fault. */
const LONG = 600_000;
/** Longest wait after that, in milliseconds: some five writes of each lane. */
const RANDOM_MS = 150;

/** A program under test, started and killed again and again over the same vault and data. */
interface Killable {
  readonly vault: string;
  readonly data: string;
  /** Resolves once it is ready. */
  start(): Promise<Asked>;
  kill(): Promise<void>;
}

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function embedded(): Promise<Killable> {
  const home = new CliHome();
  closing.push(() => home.close());
  let running: Running;
  let key = '';
  return {
    ...{ vault: home.vault, data: home.data },
    async start() {
      running = home.start(['serve', '--port', '0', '--json', '--lexical', ...home.here], { LOG_LEVEL: 'silent' });
      const said = JSON.parse((await running.until(/\n/)).split('\n')[0] ?? '') as { url: string; key?: string };
      key = said.key ?? key;
      await ready({ url: said.url, key });
      return { url: said.url, key };
    },
    async kill() {
      running.child.kill('SIGKILL');
      await running.ended;
    },
  };
}

/** The api alone is killed; redis and the indexer go on. */
async function container(): Promise<Killable> {
  const programs = await twoPrograms({ 'Home.md': '# Home\n' });
  closing.push(() => programs.close());
  programs.startIndexer();
  let api: Program;
  return {
    ...{ vault: programs.vaultPath, data: programs.dataPath },
    async start() {
      api = programs.startApi();
      await ready(programs.server);
      return programs.server;
    },
    kill: () => api.kill('SIGKILL'),
  };
}

async function ready({ url, key }: Asked): Promise<void> {
  const isReady = async () => {
    const { status } = await fetch(`${url}/readyz`, { headers: { authorization: `Bearer ${key}` } });
    expect(status).toBe(200);
  };
  await vi.waitFor(isReady, { timeout: 60_000, interval: 50 });
}

interface Outcome {
  /** Writes that were answered. */
  readonly answered: number;
  /** Temporary files and records that stood there after kills. */
  readonly interrupted: number;
}

/** Writes, kills and starts anew, so many times. */
async function writeThroughKills(program: Killable, rounds: number): Promise<Outcome> {
  const lanes = Array.from({ length: LANES }, (_, i) => new WritingLane(program.vault, `Lane-${i}`));
  const answered = () => lanes.reduce((sum, lane) => sum + lane.answered, 0);
  let interrupted = 0;
  let server = await program.start();
  for (let round = 0; round < rounds; round++) {
    const from = answered();
    const writing = Promise.all(lanes.map((lane) => lane.writeUntilGone(server)));
    // Rejects when an answer was wrong; without a kill it does not end.
    await Promise.race([writing, momentToKill(program, round, () => answered() - from >= WRITES_A_ROUND)]);
    await program.kill();
    await writing;
    interrupted += leftBehind(program).length;
    server = await program.start();
    // After a start the page at the root is written, and that is half done for a moment too.
    await vi.waitFor(() => expect(leftBehind(program)).toEqual([]), { timeout: 20_000, interval: 20 });
    for (const lane of lanes) {
      const promised = lane.promised();
      expect(promised).toContainEqual(lane.found());
    }
  }
  await program.kill();
  return { answered: answered(), interrupted };
}

/** After enough writes: some time or other, or every second time while a file or a move is half done. */
async function momentToKill(program: Killable, round: number, wroteEnough: () => boolean): Promise<void> {
  while (!wroteEnough()) await sleep(2);
  await sleep(Math.random() * RANDOM_MS);
  if (round % 2 === 0) return;
  while (leftBehind(program).length === 0) await sleep(0);
}

/** Temporary files and records of what had begun. */
function leftBehind({ vault, data }: Killable): string[] {
  const intents = join(data, 'move-intents');
  const files = readdirSync(vault, { recursive: true, withFileTypes: true }).map(({ name }) => name);
  return [...files, ...(existsSync(intents) ? readdirSync(intents) : [])].filter((name) => /\.(tmp|json)$/.test(name));
}

function auditedWrites({ data }: Killable): number {
  const log = openAuditLog(join(data, 'audit.db'), { retentionDays: 0, logger: silentLogger() });
  const rows = log.read({ limit: 100_000 });
  log.close();
  return rows.filter(({ outcome, operation }) => outcome === 'ok' && !operation.startsWith('GET')).length;
}

describe('a server that is killed while it is written to', () => {
  it.each([
    ['embedded', embedded, 10, 300],
    ['in its container', container, 4, 100],
  ] as const)(
    '%s, keeps every answered write whole and nothing half done',
    { timeout: LONG },
    async (_name, open, kills, writes) => {
      const program = await open();
      const { answered, interrupted } = await writeThroughKills(program, kills);
      expect(answered).toBeGreaterThanOrEqual(writes);
      // Else no kill ever came while a file or a move was half done, and this has proven nothing.
      expect(interrupted).toBeGreaterThan(0);
      // A row is written behind its answer, so those of the last instants may be missing.
      expect(auditedWrites(program)).toBeGreaterThan(answered / 2);
    },
  );
});
