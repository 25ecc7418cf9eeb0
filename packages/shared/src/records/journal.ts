/**
 * The journal of one-fact writes, `journal.jsonl` in the data folder: one line each, brought to the disk before the call
 * that made it ends. Danger: it is a record that several processes write without a lock, so a line is one write to the end
 * of the file; and one that a crash or a full disk cut short stays, as a line of its own that cannot be read. An empty line says
 * nothing: one process began a new one while it saw another's half there.
 */
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from '../vault/sync-folder.ts';
import { writing } from '../vault/write-errors.ts';
import { RecordOpenError } from './record-open-error.ts';

/** Grows when an older program would misread a line. */
const VERSION = 1;
/** Of which the version of the first and of the last line is read, in bytes. */
const LOOKED_AT = 64 * 1024;

export interface JournalLine {
  /** When, ISO 8601 in UTC. */
  readonly t: string;
  readonly slug: string;
  readonly content: string;
  /** Whether the page was made for it. */
  readonly created: boolean;
  /** Whether git has it. */
  readonly committed: boolean;
  readonly agent: string;
}

export interface Journal {
  /** @throws AppError `insufficient_storage`, `out_of_scope` (no permission); an Error once it is closed */
  append(line: JournalLine): Promise<void>;
  /** Ends when what was begun has ended. Idempotent. */
  close(): Promise<void>;
}

/**
 * Opens the journal of a data folder, `<dataPath>/journal.jsonl`, made closed to others.
 *
 * @throws RecordOpenError when a newer version has written it, or it cannot be opened: the start has to fail then
 */
export async function openJournal(path: string): Promise<Journal> {
  const handle = await openToAppend(path);
  try {
    await refuseNewer(handle, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await handle.close();
    throw error;
  }
  let turn: Promise<void> = Promise.resolve();
  let isClosed = false;
  return {
    async append(line) {
      if (isClosed) throw new Error('the journal is closed');
      const mine = turn.then(() => writing('the journal', () => appendLine(handle, line)));
      turn = mine.catch(() => undefined);
      await mine;
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      await turn;
      await handle.close();
    },
  };
}

async function openToAppend(path: string): Promise<FileHandle> {
  let handle: FileHandle | undefined;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    // Without O_NONBLOCK, opening a pipe would wait for its other end.
    const flags =
      constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    handle = await open(path, flags, 0o600);
    if (!(await handle.stat()).isFile()) throw Object.assign(new Error('no plain file'), { code: 'ENOTDIR' });
    await handle.chmod(0o600);
    return handle;
  } catch (error) {
    await handle?.close();
    const code = String((error as { code?: unknown }).code);
    const message = `${path} cannot be opened (${code}): see that it is a plain file in a folder that can be written.`;
    throw new RecordOpenError(message, { cause: error });
  }
}

/** By its first and its last line: a newer version may have gone on with what this one began. */
async function refuseNewer(handle: FileHandle, path: string): Promise<void> {
  const { size } = await handle.stat();
  const first = await readAt(handle, 0, Math.min(size, LOOKED_AT));
  const last = await readAt(handle, Math.max(0, size - LOOKED_AT), size);
  const lines = [...first.split('\n', 1), ...last.trimEnd().split('\n').slice(-1)];
  const version = Math.max(0, ...lines.map(versionOf));
  if (version <= VERSION) return;
  throw new RecordOpenError(
    `${path} was written by a newer version (${version}; this one knows ${VERSION}): start that one, or restore a backup.`,
  );
}

/** 0 for what is no line. */
function versionOf(line: string): number {
  try {
    const { v } = JSON.parse(line) as { v?: unknown };
    return typeof v === 'number' ? v : 0;
  } catch {
    return 0;
  }
}

async function appendLine(handle: FileHandle, line: JournalLine): Promise<void> {
  const text = `${JSON.stringify({ v: VERSION, ...line })}\n`;
  const bytes = Buffer.from((await endsInMidLine(handle)) ? `\n${text}` : text);
  for (let written = 0; written < bytes.length; ) {
    // The whole line at once; a disk that takes only a part of it refuses the rest.
    written += (await handle.write(bytes, written)).bytesWritten;
  }
  await handle.sync();
}

async function endsInMidLine(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat();
  return size > 0 && (await readAt(handle, size - 1, size)) !== '\n';
}

async function readAt(handle: FileHandle, start: number, end: number): Promise<string> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(end - start), 0, end - start, start);
  return buffer.toString('utf8', 0, bytesRead);
}
