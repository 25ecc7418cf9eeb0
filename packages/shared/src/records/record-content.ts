/**
 * Judges what a copied file of a record holds: whether it is whole, of which version, and how much is in it. Danger: it
 * opens databases that may come from anywhere, so only copies that are in no use, whose bytes were checked before, and
 * never one in WAL mode, since looking at that makes files beside it.
 */
import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import Database from 'better-sqlite3';
import { z } from 'zod';
import { AgentKeysTextError, parseAgentKeys } from '../config/agent-keys-text.ts';
import { BackupError } from './backup-error.ts';
import type { RecordKind } from './record-set.ts';

export interface RecordContent {
  /** The oldest version that can read it. */
  readonly version: number;
  /** Rows, lines or entries. */
  readonly rows: number;
  /** Lines that cannot be read; they are carried along all the same. */
  readonly damaged: number;
}

const DATABASE_MAGIC = 'SQLite format 3\0';
const versionedSchema = z.object({ version: z.int().positive() });

/**
 * @param where what to call the file to a person
 * @throws BackupError when it is damaged, another program's, or a newer version's
 */
export async function recordContent(kind: RecordKind, path: string, where: string): Promise<RecordContent> {
  const content = await contentOf(kind, path, where);
  if (content.version <= kind.version) return content;
  throw new BackupError(
    `${where} is of a newer version (${content.version}; this one knows ${kind.version}): use that one.`,
  );
}

function contentOf(kind: RecordKind, path: string, where: string): Promise<RecordContent> | RecordContent {
  if (kind.form.kind === 'sqlite') return databaseContent(path, kind.form.applicationId, where);
  if (kind.form.kind === 'lines') return linesContent(path);
  return jsonContent(kind, path, where);
}

async function databaseContent(path: string, applicationId: number, where: string): Promise<RecordContent> {
  const damaged = (cause?: unknown) => new BackupError(`${where} is damaged.`, { cause });
  if (await isInWalMode(path)) throw damaged();
  const db = new Database(path, { readonly: true, fileMustExist: true });
  try {
    if (db.pragma('application_id', { simple: true }) !== applicationId) {
      throw new BackupError(`${where} is a database of another program.`);
    }
    if (db.pragma('integrity_check(1)', { simple: true }) !== 'ok') throw damaged();
    return { version: Number(db.pragma('user_version', { simple: true })), rows: rowsOf(db), damaged: 0 };
  } catch (error) {
    const code = String((error as { code?: unknown }).code);
    if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) throw damaged(error);
    if (!/^SQLITE_(BUSY|PROTOCOL|CANTOPEN|IOERR)/.test(code)) throw error;
    const instead = 'copy the folder to a disk of this machine that this user may read';
    throw new BackupError(`${where} cannot be opened as a database there (${code}): ${instead}.`, { cause: error });
  } finally {
    db.close();
  }
}

/** Rows of a database that may be in use. @throws the SQLite error */
export function databaseRows(path: string): number {
  const db = new Database(path, { readonly: true, fileMustExist: true });
  try {
    return rowsOf(db);
  } finally {
    db.close();
  }
}

/** Of all tables. */
function rowsOf(db: Database.Database): number {
  const tables = db
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
    )
    .pluck()
    .all();
  const count = (table: string) =>
    db
      .prepare<[], number>(`SELECT count(*) FROM "${table.replaceAll('"', '""')}"`)
      .pluck()
      .get() ?? 0;
  return tables.reduce((sum, table) => sum + count(table), 0);
}

/** By the file's header: SQLite's file format, bytes 18 and 19. */
async function isInWalMode(path: string): Promise<boolean> {
  const header = await headerOf(path);
  return header[18] === 2 || header[19] === 2;
}

/** Whether a file begins as a database does; to open another as one would have SQLite take away what stands beside it. */
export async function isDatabase(path: string): Promise<boolean> {
  return (await headerOf(path)).subarray(0, DATABASE_MAGIC.length).toString('latin1') === DATABASE_MAGIC;
}

async function headerOf(path: string): Promise<Buffer> {
  const handle = await open(path, constants.O_RDONLY);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(20), 0, 20, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function linesContent(path: string): Promise<RecordContent> {
  let [version, rows, damaged] = [0, 0, 0];
  for await (const line of linesOf(path)) {
    rows++;
    const parsed = parseLine(line);
    if (parsed === null) damaged++;
    else version = Math.max(version, typeof parsed.v === 'number' ? parsed.v : 1);
  }
  return { version, rows, damaged };
}

/** The lines of a file that hold anything. */
export async function* linesOf(path: string): AsyncGenerator<string> {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });
  for await (const line of lines) if (line.trim() !== '') yield line;
}

function parseLine(line: string): { readonly v?: unknown } | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? value : null;
  } catch {
    return null;
  }
}

async function jsonContent(kind: RecordKind, path: string, where: string): Promise<RecordContent> {
  const text = await readFile(path, 'utf8');
  const content =
    kind.record === 'agent-keys'
      ? { version: 1, rows: agentsIn(text)?.size }
      : { version: versionedSchema.safeParse(parseLine(text)).data?.version, rows: 1 };
  const { version, rows } = content;
  if (version === undefined || rows === undefined) throw new BackupError(`${where} is damaged.`);
  return { version, rows, damaged: 0 };
}

/** Agent → digest of its key, in lower case; null when no server would take the file. */
export function agentsIn(text: string): ReadonlyMap<string, string> | null {
  try {
    return parseAgentKeys(text);
  } catch (error) {
    if (error instanceof AgentKeysTextError) return null;
    throw error;
  }
}

export interface Fingerprint {
  readonly size: number;
  readonly sha256: string;
}

/** Size and hash of a plain file; a link is not followed. @throws the file system's error */
export async function fingerprint(path: string): Promise<Fingerprint> {
  const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const hash = createHash('sha256');
    let size = 0;
    for await (const part of handle.createReadStream({ autoClose: false })) {
      hash.update(part as Buffer);
      size += (part as Buffer).length;
    }
    return { size, sha256: hash.digest('hex') };
  } finally {
    await handle.close();
  }
}
