/**
 * Walks notes and reads them without waiting in between: for a thread of its own that looks at every note for one
 * question, where a promise for each file takes ten times as long as the file. Danger: whoever calls this holds its
 * thread up, for seconds where a disk is slow, so the thread that answers requests never may.
 */
import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { entriesOf, type FolderListings, type ListedEntry } from './folder-listings.ts';
import { FOLDER_FLAGS, hasDescriptorPaths, openError } from './open-leaf.ts';
import { nameOf, parentOf, type VaultPath } from './path.ts';
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
  /** It is a folder, which somebody may go into who may not read it. */
  readonly isFolder?: true;
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
 * @param listings what is known of folders from the walk before, and is for the next
 * @throws AppError `not_found`, `invalid_path`, `unreadable` when the folder itself cannot be opened; the file system's
 * error where that says nothing to a caller
 */
export function walkNotes(root: string, folder: VaultPath, visitor: NoteVisitor, listings: FolderListings): void {
  const refuse = (error: unknown): never => {
    throw openError(error, folder);
  };
  listings.beginWalk();
  // Opened in any case: of a folder that is known, too, it is told when it cannot be.
  const start = descend(root, folder, refuse);
  try {
    new Walk(root, visitor, listings).folder(folder, start, refuse);
  } finally {
    start.close();
  }
  listings.endWalk(folder);
}

/**
 * The same of files that are named, whatever they are: for who knows already which ones matter. What is not there any more
 * is passed over.
 */
export function visitFiles(root: string, paths: readonly VaultPath[], visitor: Omit<NoteVisitor, 'wants'>): void {
  const walk = new Walk(root, { ...visitor, wants: () => true }, null);
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

/** A folder that is opened only when something in it is to be read. */
class LazyFolder implements OpenedFolder {
  private readonly open: () => OpenedFolder;
  private opened: OpenedFolder | undefined;

  constructor(open: () => OpenedFolder) {
    this.open = open;
  }

  get path(): string {
    this.opened ??= this.open();
    return this.opened.path;
  }

  close(): void {
    this.opened?.close();
  }
}

class Walk {
  private readonly root: string;
  private readonly visitor: NoteVisitor;
  /** Null where files are named, and no folder is listed. */
  private readonly listings: FolderListings | null;
  private depth = 0;

  constructor(root: string, visitor: NoteVisitor, listings: FolderListings | null) {
    this.root = root;
    this.visitor = visitor;
    this.listings = listings;
  }

  folder(folder: VaultPath, open: OpenedFolder, onUnreadable: (error: unknown) => void): void {
    let entries: readonly ListedEntry[];
    try {
      entries = this.entries(folder, open);
    } catch (error) {
      onUnreadable(error);
      return;
    }
    for (const { name, path, isFolder } of entries) {
      if (path === null) this.unnameable(folder, name);
      else if (isFolder) this.subfolder(open, name, path);
      else if (this.visitor.wants(path)) this.note(open, name, path);
    }
  }

  private entries(folder: VaultPath, open: OpenedFolder): readonly ListedEntry[] {
    // By its path, not by a descriptor, which would have to be opened: a stat of a folder elsewhere is another version, and
    // is opened as what stands here.
    const seen = lstatSync(folder === '' ? this.root : `${this.root}/${folder}`, BIG);
    const known = this.listings?.known(folder, seen);
    if (known) return known;
    const path = open.path;
    // Of what is open, and before it is read.
    const stat = statSync(path, BIG);
    const dirents = readdirSync(path, { withFileTypes: true });
    return this.listings?.keep(folder, stat, dirents) ?? entriesOf(folder, dirents);
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
      for (const path of paths) this.note(opened, nameOf(path), path);
    } finally {
      opened.close();
    }
  }

  private unnameable(folder: VaultPath, name: string): void {
    this.visitor.onLeftOut({ path: folder === '' ? name : `${folder}/${name}`, reason: UNNAMEABLE_REASON });
  }

  private subfolder(parent: OpenedFolder, name: string, path: VaultPath): void {
    if (this.depth >= MAX_DEPTH) {
      this.visitor.onLeftOut({ path, reason: `folders are nested more than ${MAX_DEPTH} deep`, isFolder: true });
      return;
    }
    this.depth++;
    const opened = new LazyFolder(() => openIn(parent.path, name));
    try {
      this.folder(path, opened, (error) => this.leftOut(path, error, 'the folder cannot be read', true));
    } finally {
      opened.close();
      this.depth--;
    }
  }

  private note(folder: OpenedFolder, name: string, path: VaultPath): void {
    let stat: BigIntStats;
    try {
      // Not through the folder's descriptor, which takes the kernel twice as long: what is read goes through that, and a
      // stat of a file elsewhere, behind a folder just swapped for a link, only makes the note be read.
      stat = lstatSync(`${this.root}/${path}`, BIG);
    } catch (error) {
      this.leftOut(path, error, 'it cannot be looked at');
      return;
    }
    if (stat.isFile()) this.visitor.onNote({ path, stat, open: (use) => whileOpen(`${folder.path}/${name}`, use) });
  }

  private leftOut(path: string, error: unknown, reason: string, isFolder?: true): void {
    if (!isGone(error)) this.visitor.onLeftOut({ path, reason, ...(isFolder && { isFolder }) });
  }
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
