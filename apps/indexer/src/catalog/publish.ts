/**
 * Keeps the root's index page in step with the index's rows: whoever changed a note, by whatever means, the rows tell.
 * Danger: it writes into a person's folder unasked. So a page without the mark is never touched, nothing is written while
 * the rows are not whole or the vault is not there, an equal page stays as it is (or the watcher's news of our own write
 * would be answered by another one), and a program that changes the page back each time is not fought. Nothing is deleted.
 */
import { AppError } from '@vault-mcp/shared/errors';
import type { FileStat } from '@vault-mcp/shared/index-db/rows';
import type { IndexWriter } from '@vault-mcp/shared/index-db/writer';
import {
  GENERATED_KEY,
  GENERATOR,
  generatedBody,
  INDEX_PAGE,
  isIndexPagePath,
} from '@vault-mcp/shared/vault/index-page';
import { findIndexPage, pageSpellings } from '@vault-mcp/shared/vault/index-page-place';
import type { PathLocks } from '@vault-mcp/shared/vault/lock';
import { encodeNote } from '@vault-mcp/shared/vault/note/text';
import { nameOf, type VaultPath } from '@vault-mcp/shared/vault/path';
import type { VaultPresence } from '@vault-mcp/shared/vault/presence';
import type { Vault } from '@vault-mcp/shared/vault/vault';
import { createVaultWriter, type ReplacedNote, type VaultWriter } from '@vault-mcp/shared/vault/write';
import { leftOutFolders } from './left-out.ts';
import { encodedSegment } from './markdown-text.ts';
import { ForeignPage, folderInTheWay, stateAfter } from './refusal.ts';
import { type CatalogNote, createCatalogRenderer } from './render.ts';
import { besides, type CatalogState, emptyState, publishedState } from './state.ts';

export interface PublisherDeps {
  readonly vault: Vault;
  readonly presence: VaultPresence;
  readonly index: Pick<IndexWriter, 'generation' | 'storedNotes'>;
  readonly locks: PathLocks;
  /** `index.exclude_dirs`. */
  readonly excludeDirs: readonly string[];
  /** `vault.note_max_bytes`: a page beyond it could not be read, and goes without descriptions. */
  readonly noteMaxBytes: number;
  /** `notes.timestamp_key`; empty: the page has no timestamp. */
  readonly timestampKey: string;
  readonly now: () => Date;
  /** What writes the page; a parameter so that a disk which takes none can be tried. Default: the vault's writer. */
  readonly writer?: Pick<VaultWriter, 'replace'>;
}

export interface CatalogPublisher {
  /**
   * Compares the page with the rows, and writes it if they differ. One at a time. Only to be called while the rows are
   * whole: what they lack is taken off the page.
   *
   * @returns what became of it; null when the vault is not there, of which nothing can be said
   * @throws what reading the index throws
   */
  publish(): Promise<CatalogState | null>;
  /** Whether a file is the page, and was seen to be as it should be under this very stat. */
  isSettled(path: string, stat: FileStat): boolean;
  /** The index was emptied: it counts its generations anew. */
  forget(): void;
}

/** Changes made to the page by others that are undone within a minute; whoever makes more is told of, not fought. */
const UNDONE_A_MINUTE = 3;
const MINUTE_MS = 60_000;

export function createCatalogPublisher(deps: PublisherDeps): CatalogPublisher {
  return new IndexPagePublisher(deps);
}

/** The page when it was last right. */
interface Right {
  /** Equal as long as neither rows nor folders change. */
  readonly of: string;
  /** Of its bytes, which are as long as the vault has notes: they are not kept. */
  readonly etag: string;
  readonly entries: number;
}

/** What the page has to say. */
interface Rendered {
  readonly body: Buffer;
  readonly entries: number;
}

/** The page as it stands there was seen to be what it should be. */
interface Settled {
  readonly path: string;
  readonly stat: FileStat;
  readonly of: string;
}

class IndexPagePublisher implements CatalogPublisher {
  readonly #deps: PublisherDeps;
  readonly #writer: Pick<VaultWriter, 'replace'>;
  readonly #renderer = createCatalogRenderer();
  /** Spare pages that were turned into a pointer. */
  readonly #pointed = new Set<string>();
  #last: Right | null = null;
  #settled: Settled | null = null;
  #undone: number[] = [];

  constructor(deps: PublisherDeps) {
    this.#deps = deps;
    // The page may be larger than a note: it is read and replaced all the same.
    this.#writer = deps.writer ?? createVaultWriter(deps.vault, { locks: deps.locks, noteMaxBytes: 0 });
  }

  isSettled(path: string, stat: FileStat): boolean {
    return this.#settled?.path === path && isSameStat(this.#settled.stat, stat);
  }

  forget(): void {
    this.#last = null;
    this.#settled = null;
  }

  async publish(): Promise<CatalogState | null> {
    const { vault, presence, excludeDirs } = this.#deps;
    if (!(await presence.isThere())) return null;
    const leftOut = await leftOutFolders(vault, excludeDirs);
    // Asked before the rows are: they may be newer than that says, and are looked at again then, but never older.
    const of = JSON.stringify([this.#deps.index.generation(), leftOut]);
    const known = this.#last?.of === of ? this.#last : null;
    try {
      const spellings = await pageSpellings(vault);
      if (known !== null && this.#settled?.of === of && (await this.#isUntouched(this.#settled, spellings))) {
        return publishedState(known.entries);
      }
      const { page, spare } = await findIndexPage(vault, spellings);
      if (page?.kind === 'folder') return besides(folderInTheWay(page.path), spare);
      const state = await this.#bring(page?.path ?? null, of, known, () => this.#render(leftOut));
      if (page !== null && state.state === 'published') await this.#pointTo(page.path, spare);
      return besides(state, spare);
    } catch (error) {
      return stateAfter(error);
    }
  }

  #render(leftOut: readonly string[]): Rendered {
    const { index, noteMaxBytes } = this.#deps;
    const notes = index
      .storedNotes()
      // By length first: to compare thousands of names in any case takes its time.
      .filter(({ path }) => path.length !== INDEX_PAGE.length || !isIndexPagePath(path))
      .map(asCatalogNote);
    let body = encodeNote(this.#renderer.render({ notes, leftOut }, { descriptions: true }));
    if (noteMaxBytes > 0 && body.length + FRONTMATTER_ROOM > noteMaxBytes) {
      body = encodeNote(this.#renderer.render({ notes, leftOut }, { descriptions: false }));
    }
    return { body, entries: notes.length };
  }

  async #isUntouched({ path, stat }: Settled, spellings: readonly string[]): Promise<boolean> {
    if (spellings.join('/') !== path) return false;
    try {
      const located = await this.#deps.vault.locate(path as VaultPath, { hints: false });
      return isSameStat(located.stat, stat);
    } catch (error) {
      if (error instanceof AppError) return false;
      throw error;
    }
  }

  /**
   * @param path where it stands; null where there is none
   * @param known the page when it was last right, if the rows are still those
   */
  async #bring(path: VaultPath | null, of: string, known: Right | null, render: () => Rendered): Promise<CatalogState> {
    this.#settled = null;
    let rendered = known === null ? render() : null;
    let entries = known?.entries ?? rendered?.entries ?? 0;
    const change = (current: ReplacedNote | null) => {
      if (current !== null && current.sha256 === known?.etag) return this.#kept(current, of);
      rendered ??= render();
      entries = rendered.entries;
      if (current !== null && bodyOf(current).equals(rendered.body)) return this.#kept(current, of);
      // The rows are as they were when the page was right: somebody else has changed or removed it since.
      if (known !== null) this.#undoOnceMore();
      return this.#page(rendered.body);
    };
    // A vault that is not mounted looks like an empty one, and must not be given a file.
    if (path === null && entries === 0) return emptyState();
    try {
      const { etag } = await this.#writer.replace(path ?? INDEX_PAGE, change, { target: 'index-page' });
      this.#last = { of, etag, entries };
      return publishedState(entries);
    } catch (error) {
      return stateAfter(error);
    }
  }

  /** Two lists would soon differ: of what is spare only the way to the page is left. */
  async #pointTo(page: VaultPath, spare: readonly VaultPath[]): Promise<void> {
    const body = encodeNote(
      '\n# Index\n\nThis generated page is kept no more and can be deleted: it differs by its case alone from ' +
        `[${page}](${encodedSegment(page)}), which lists the notes.\n`,
    );
    for (const path of spare) {
      const change = (current: ReplacedNote | null) => {
        if (current === null) throw new ForeignPage(path);
        if (bodyOf(current).equals(body)) return readWhole(current.bytes);
        if (this.#pointed.has(path)) this.#undoOnceMore();
        return this.#page(body);
      };
      await this.#writer.replace(path, change, { target: 'index-page' });
      this.#pointed.add(path);
    }
  }

  #kept({ path, bytes, stat }: ReplacedNote, of: string): Uint8Array {
    this.#settled = { path, stat, of };
    return readWhole(bytes);
  }

  /** @throws AppError `locked` when that was done too often by now */
  #undoOnceMore(): void {
    const now = this.#deps.now().getTime();
    this.#undone = this.#undone.filter((time) => now - time < MINUTE_MS);
    if (this.#undone.length >= UNDONE_A_MINUTE) {
      throw new AppError(
        'locked',
        `Another program keeps changing ${INDEX_PAGE}, which is generated. Find it, or set catalog.enabled to false.`,
      );
    }
    this.#undone.push(now);
  }

  #page(body: Buffer): Buffer {
    const { timestampKey, now } = this.#deps;
    const mark = `${GENERATED_KEY}: ${GENERATOR}\n`;
    const isOurs = timestampKey !== '' && timestampKey !== GENERATED_KEY;
    return Buffer.concat([
      encodeNote(`---\n${mark}${isOurs ? `${timestampKey}: ${now().toISOString().slice(0, 19)}Z\n` : ''}---\n`),
      body,
    ]);
  }
}

/** What the page has above its body, at most. */
const FRONTMATTER_ROOM = 512;

function asCatalogNote(note: ReturnType<IndexWriter['storedNotes']>[number]): CatalogNote {
  const { path, title, description, state } = note;
  // Of a note that cannot be read nothing is known but its name.
  return { path, title: state === 'quarantined' ? nameOf(path).slice(0, -'.md'.length) : title, description };
}

/** @throws ForeignPage */
function bodyOf({ path, bytes }: ReplacedNote): Buffer {
  const body = generatedBody(readWhole(bytes));
  if (body === null) throw new ForeignPage(path);
  return body;
}

/** The page is read without a limit. */
function readWhole(bytes: Buffer | null): Buffer {
  if (bytes === null) throw new Error('the page was read with a limit');
  return bytes;
}

function isSameStat(a: FileStat, b: FileStat): boolean {
  return a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.inode === b.inode;
}
