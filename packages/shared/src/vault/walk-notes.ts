/**
 * Walks notes and reads them without waiting in between: for a thread of its own that looks at every note for one
 * question, where a promise for each file takes ten times as long as the file. Danger: whoever calls this holds its
 * thread up, for seconds where a disk is slow, so the thread that answers requests never may.
 */
import {
  type BigIntStats,
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
} from 'node:fs';
import { join } from 'node:path';
import { FOLDER_FLAGS, hasDescriptorPaths, openError } from './open-leaf.ts';
import { fileKindOf, nameOf, parentOf, pathFromDisk, type VaultPath } from './path.ts';
import { readFromStart, readHead } from './read-sync.ts';
import { UNNAMEABLE_REASON } from './walk-folder.ts';

/** Folders inside one another that are gone into: each costs a descriptor while its own are walked. */
const MAX_DEPTH = 200;

const BIG = { bigint: true } as const;

/** A file that the walk has come to. */
export interface MetNote {
  readonly path: VaultPath;
  readonly stat: BigIntStats;
  /**
   * Opens it for as long as `use` runs. What is read is the file's until the next is read.
   * @throws the file system's error, and what `use` throws
   */
  open<R>(use: (file: OpenNote) => R): R;
}

export interface OpenNote {
  /** Of the file that is open, taken before its first byte is read. */
  readonly stat: BigIntStats;
  /** At most so many bytes from its beginning, and at most 64 KiB. */
  head(bytes: number): Buffer;
  /** Null when it has more bytes than `maxBytes`; 0 = no limit. */
  whole(maxBytes: number): Buffer | null;
}

/** Something that the walk could not look at, and so whatever is in it. */
export interface LeftOut {
  /** A note or a folder, or a name as far as it can be shown. */
  readonly path: string;
  /** A clause, without a stop. */
  readonly reason: string;
}

export interface NoteVisitor {
  /** Whether a note is wanted at all; spares its stat. */
  wants(path: VaultPath): boolean;
  onNote(file: MetNote): void;
  onLeftOut(what: LeftOut): void;
}

/**
 * Every note below a folder, in the order of their paths by code unit: no dotted names, no symbolic links.
 *
 * @param root the vault's own folder, as `vault.root` has it
 * @throws AppError `not_found`, `invalid_path`, `unreadable` when the folder itself cannot be opened; the file system's
 * error where that says nothing to a caller
 */
export function walkNotes(root: string, folder: VaultPath, visitor: NoteVisitor): void {
  const walk = new Walk(root, visitor);
  const refuse = (error: unknown): never => {
    throw openError(error, folder);
  };
  const start = descend(root, folder, refuse);
  try {
    walk.folder(start.path, folder, refuse);
  } finally {
    start.close();
  }
}

/**
 * The same of files that are named, whatever they are: for who knows already which ones matter. What is not there any more
 * is passed over.
 */
export function visitFiles(root: string, paths: readonly VaultPath[], visitor: Omit<NoteVisitor, 'wants'>): void {
  const walk = new Walk(root, { ...visitor, wants: () => true });
  const folders = new Map<VaultPath, VaultPath[]>();
  for (const path of paths) {
    const beside = folders.get(parentOf(path));
    if (beside === undefined) folders.set(parentOf(path), [path]);
    else beside.push(path);
  }
  for (const [folder, named] of folders) walk.named(folder, named);
}

interface OpenedFolder {
  readonly path: string;
  close(): void;
}

function descend(root: string, folder: VaultPath, refuse: (error: unknown) => never): OpenedFolder {
  let opened: OpenedFolder | undefined;
  try {
    opened = openIn('', root);
    for (const segment of folder === '' ? [] : folder.split('/')) {
      const parent = opened;
      opened = undefined;
      try {
        opened = openIn(parent.path, segment);
      } finally {
        parent.close();
      }
    }
    return opened;
  } catch (error) {
    opened?.close();
    return refuse(error);
  }
}

/** Opens a folder without following a link, except on the way to the vault's root, which is resolved. */
function openIn(parent: string, name: string): OpenedFolder {
  const path = parent === '' ? name : join(parent, name);
  if (!hasDescriptorPaths) {
    if (!lstatSync(path).isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' });
    return { path, close: () => {} };
  }
  const fd = openSync(path, FOLDER_FLAGS);
  return { path: `/proc/self/fd/${fd}`, close: () => closeSync(fd) };
}

class Walk {
  private readonly root: string;
  private readonly visitor: NoteVisitor;
  private depth = 0;

  constructor(root: string, visitor: NoteVisitor) {
    this.root = root;
    this.visitor = visitor;
  }

  /** @param open where the folder is open */
  folder(open: string, folder: VaultPath, onUnreadable: (error: unknown) => void): void {
    let dirents: Dirent[];
    try {
      dirents = readdirSync(open, { withFileTypes: true });
    } catch (error) {
      onUnreadable(error);
      return;
    }
    for (const dirent of dirents.sort(byPlace)) {
      const isFolder = dirent.isDirectory();
      if (dirent.name.startsWith('.') || !(isFolder || dirent.isFile())) continue;
      const path = pathFromDisk(folder, dirent.name);
      if (path === null) this.unnameable(folder, dirent.name, isFolder);
      else if (isFolder) this.subfolder(open, dirent.name, path);
      else if (fileKindOf(path, []) === 'note' && this.visitor.wants(path)) this.note(`${open}/${dirent.name}`, path);
    }
  }

  /** Files of one folder, by their paths. */
  named(folder: VaultPath, paths: readonly VaultPath[]): void {
    let opened: OpenedFolder;
    try {
      opened = descend(this.root, folder, (error) => {
        throw error;
      });
    } catch (error) {
      for (const path of paths) this.leftOut(path, error, 'its folder cannot be read');
      return;
    }
    try {
      for (const path of paths) this.note(`${opened.path}/${nameOf(path)}`, path);
    } finally {
      opened.close();
    }
  }

  private unnameable(folder: VaultPath, name: string, isFolder: boolean): void {
    if (!isFolder && fileKindOf(name, []) !== 'note') return;
    this.visitor.onLeftOut({ path: folder === '' ? name : `${folder}/${name}`, reason: UNNAMEABLE_REASON });
  }

  private subfolder(parent: string, name: string, path: VaultPath): void {
    if (this.depth >= MAX_DEPTH) {
      this.visitor.onLeftOut({ path, reason: `folders are nested more than ${MAX_DEPTH} deep` });
      return;
    }
    this.depth++;
    let opened: OpenedFolder | undefined;
    try {
      opened = openIn(parent, name);
      this.folder(opened.path, path, (error) => this.leftOut(path, error, 'the folder cannot be read'));
    } catch (error) {
      if (opened !== undefined) throw error;
      this.leftOut(path, error, 'the folder cannot be read');
    } finally {
      opened?.close();
      this.depth--;
    }
  }

  private note(file: string, path: VaultPath): void {
    let stat: BigIntStats;
    try {
      // Not through the folder's descriptor, which takes the kernel twice as long: what is read goes through that, and a
      // stat of a file elsewhere, behind a folder just swapped for a link, only makes the note be read.
      stat = lstatSync(`${this.root}/${path}`, BIG);
    } catch (error) {
      this.leftOut(path, error, 'it cannot be looked at');
      return;
    }
    if (stat.isFile()) this.visitor.onNote({ path, stat, open: (use) => whileOpen(file, use) });
  }

  private leftOut(path: string, error: unknown, reason: string): void {
    if (!isGone(error)) this.visitor.onLeftOut({ path, reason });
  }
}

/** A folder stands where the paths of what is in it do. */
function byPlace(a: Dirent, b: Dirent): number {
  return placeOf(a) < placeOf(b) ? -1 : 1;
}

function placeOf(dirent: Dirent): string {
  return dirent.isDirectory() ? `${dirent.name}/` : dirent.name;
}

/** Whether an error says that the file is not there any more, or not as the kind of file that the walk met. */
export function isGone(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO'].includes(String((error as NodeJS.ErrnoException).code));
}

function whileOpen<R>(file: string, use: (file: OpenNote) => R): R {
  // Without O_NONBLOCK, opening a pipe that took the file's place would wait for its other end.
  const fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(fd, BIG);
    if (!stat.isFile()) throw Object.assign(new Error('not a plain file'), { code: 'ENXIO' });
    return use({
      stat,
      head: (bytes) => readHead(fd, bytes),
      whole: (maxBytes) => readFromStart(fd, Number(stat.size), maxBytes),
    });
  } finally {
    closeSync(fd);
  }
}
