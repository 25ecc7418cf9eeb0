/**
 * A data folder and a vault with something in every record, and what is in them as plain values, for tests that back
 * records up and restore them. Real files and databases, made by who makes them in the product.
 */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { silentLogger } from '@vault-mcp/shared/log';
import { openAuditLog } from '@vault-mcp/shared/records/audit';
import { openProposals } from '@vault-mcp/shared/records/proposals';
import type { RecordPlaces } from '@vault-mcp/shared/records/record-set';
import Database from 'better-sqlite3';
import { createTempFolder, type TempFolder } from './temp-folder.ts';

export const SCRIBE_KEY = 'a'.repeat(64);
export const OTHER_KEY = 'b'.repeat(64);
const INTENT = 'move-intents/6f1f0f0e-0000-4000-8000-000000000001.json';

/** One line of the discard log. */
export const discard = (n: number, text = `text ${n}`): string =>
  JSON.stringify({
    v: 1,
    n,
    id: `id-${n}-${text}`,
    t: '2026-11-30T00:00:00.000Z',
    kind: 'discarded',
    agent: 'a',
    text,
  });

export interface RecordHome extends RecordPlaces {
  readonly folder: TempFolder;
  /** Where backups go: a folder that is there. */
  readonly to: string;
}

/** Empty places. */
export async function createRecordHome(): Promise<RecordHome> {
  const folder = await createTempFolder('records');
  const [dataPath, vaultPath, to] = ['data', 'notes', 'backups'].map((name) => join(folder.path, name));
  for (const path of [dataPath, vaultPath, to]) mkdirSync(path as string, { mode: 0o700 });
  const places = { dataPath, vaultPath, to } as { dataPath: string; vaultPath: string; to: string };
  return { ...places, folder, keysFile: join(places.dataPath, 'agent-keys.json') };
}

/** Something in every record. */
export function fillRecords(places: RecordPlaces): void {
  addCalls(places, 3);
  const proposals = openProposals(join(places.dataPath, 'memory.db'), { owner: randomUUID(), logger: silentLogger() });
  proposals.begin({ kind: 'propose', agent: 'scribe', candidateHash: 'h', request: { title: 'A fact' } });
  proposals.close();
  put(places.dataPath, 'journal.jsonl', '{"v":1,"t":"2026-11-30","slug":"a"}\n{"v":1,"t":"2026-11-30","slug":"b"}\n');
  put(places.vaultPath, '.discarded.log.1', `${discard(1)}\n`);
  put(places.vaultPath, '.discarded.log', `${discard(2)}\n${discard(3)}\n`);
  writeFileSync(places.keysFile, JSON.stringify({ scribe: SCRIBE_KEY }));
  put(places.dataPath, INTENT, JSON.stringify({ version: 1, owner: 'x', source: 'a', destination: 'b' }));
}

export function addCalls({ dataPath }: RecordPlaces, count: number): void {
  const audit = openAuditLog(join(dataPath, 'audit.db'), { retentionDays: 0, logger: silentLogger() });
  const call = { surface: 'cli', operation: 'read', agent: 'operator', argsDigest: '', outcome: 'ok', durationMs: 1 };
  for (let i = 0; i < count; i++) audit.append({ ...call, timeMs: i });
  audit.close();
}

export function put(folder: string, name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

/** What the records hold, row for row; what is not there is null. */
export function contentsOf({ dataPath, vaultPath, keysFile }: RecordPlaces): Record<string, unknown> {
  const discards = readdirSync(vaultPath).filter(
    (name) => /^\.discarded.*\.log/.test(name) && !name.endsWith('.restoring'),
  );
  return {
    audit: rowsIn(join(dataPath, 'audit.db'), 'call'),
    memory: rowsIn(join(dataPath, 'memory.db'), 'proposal'),
    journal: textIn(join(dataPath, 'journal.jsonl')),
    keys: textIn(keysFile),
    intent: textIn(join(dataPath, INTENT)),
    discards: discards.flatMap((name) => (textIn(join(vaultPath, name)) ?? '').split('\n').filter(Boolean)).sort(),
  };
}

export function rowsIn(path: string, table: string): unknown[] | null {
  if (!existsSync(path)) return null;
  const db = new Database(path, { readonly: true });
  try {
    return db.prepare(`SELECT * FROM ${table}`).all();
  } finally {
    db.close();
  }
}

function textIn(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

/** Every file below a folder with a hash of its bytes, but for what locks and SQLite keep beside. */
export function bytesBelow(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const kept = files
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !/\/locks\/|-(wal|shm)$/.test(path));
  return Object.fromEntries(
    kept.sort().map((path) => [path, createHash('sha256').update(readFileSync(path)).digest('hex')]),
  );
}
