/**
 * The signatures of an index by the ids of its contents, and which files each stands in, so that a search can be narrowed before
 * anything is cut. Danger: what has gone since is still in it, and files that share a content with very many others are not told
 * apart: it may name too much, never too little, and whoever asks looks up what it names.
 */
import { BLOCK, SignatureBlocks } from './signature-blocks.ts';
import { allSlots, nearestSlots } from './signature-search.ts';
import { SlotTable } from './slot-table.ts';

/** Of a content that stands in more files than this, files are not kept: it is looked at whatever is asked for. */
export const FILES_KEPT = 256;

/** One bit a file id, set for those that pass; ids past the end do not. */
export type FileBits = Uint8Array;

export interface NearestContents {
  readonly ids: Uint32Array;
  /** Whether these are all that there are within what was asked for. */
  readonly complete: boolean;
}

export class SignatureTable {
  readonly #blocks: SignatureBlocks;
  readonly #slots: SlotTable;
  /** The files of slots that have several, the first apart; null stands for too many. */
  readonly #shared = new Map<number, readonly number[] | null>();
  /** Of all that were put, the sums of their absolute numbers. */
  #sums = 0;
  #puts = 0;

  /**
   * @param words of a signature, see signatureWords
   * @param expected contents that it is about to be given
   */
  constructor(words: number, expected = 0) {
    this.#blocks = new SignatureBlocks(words);
    this.#slots = new SlotTable((slot) => this.#blocks.idOf(slot), expected);
  }

  /** Contents it has room for, those that are gone among them. */
  get size(): number {
    return this.#blocks.count;
  }

  get words(): number {
    return this.#blocks.words;
  }

  /** Of the typed memory; what is shared between files comes on top. */
  byteLength(): number {
    return this.#blocks.byteLength() + this.#slots.byteLength();
  }

  /**
   * @param files all that it stands in, or more than FILES_KEPT of them
   * @throws RangeError when there is no memory for it
   */
  put(id: number, signature: Uint8Array, files: readonly number[]): void {
    let slot = this.#slots.find(id);
    if (slot < 0) {
      slot = this.#blocks.add(id);
      this.#slots.add(id, slot);
    }
    this.#blocks.write(slot, signature);
    const { byteOffset, byteLength } = signature;
    this.#sums += 1 / new DataView(signature.buffer, byteOffset, byteLength).getFloat32(this.words * 8, true);
    this.#puts++;
    this.#own(slot, files);
  }

  /**
   * How much like its signs a vector is on average, as the cosine between the two: .8 where its numbers are spread as evenly as
   * those of a sentence model, little where a few of them say everything.
   */
  likeness(dims: number): number {
    return this.#sums / this.#puts / Math.sqrt(dims);
  }

  has(id: number): boolean {
    return this.#slots.find(id) >= 0;
  }

  /** It stands in other files than before. */
  moved(id: number, files: readonly number[]): void {
    const slot = this.#slots.find(id);
    if (slot >= 0) this.#own(slot, files);
  }

  /** Its vector is gone: it is named no more until it is put again. */
  drop(id: number): void {
    const slot = this.#slots.find(id);
    if (slot >= 0) this.#blocks.drop(slot);
  }

  /**
   * @param files null: all pass
   * @param numbers.weighed how many are looked at more closely; `kept` how many are wanted
   */
  nearest(
    vector: Float32Array,
    files: FileBits | null,
    { weighed, kept }: { weighed: number; kept: number },
  ): NearestContents {
    const which = files === null ? 'live' : 'mask';
    const count = files === null ? this.#blocks.liveCount : this.#mask(files);
    const complete = count <= kept;
    const slots = complete
      ? allSlots(this.#blocks, which, count)
      : nearestSlots(this.#blocks, vector, { which, weighed, kept });
    return { ids: slots.map((slot) => this.#blocks.idOf(slot)), complete };
  }

  #own(slot: number, files: readonly number[]): void {
    this.#blocks.own(slot, files[0] ?? 0);
    if (files.length > FILES_KEPT) this.#shared.set(slot, null);
    else if (files.length > 1) this.#shared.set(slot, files.slice(1));
    else this.#shared.delete(slot);
  }

  /** Marks what is to be looked at. @returns how many are */
  #mask(files: FileBits): number {
    const { bytes, ints } = this.#blocks.arrays;
    let masked = 0;
    for (let block = 0; block < this.#blocks.blocks(); block++) {
      const { live, mask, owners } = this.#blocks.place(block);
      const count = this.#blocks.countIn(block);
      for (let i = 0; i < count; i++) {
        const marked = (bytes[live + i] as number) & passesAt(files, ints[owners / 4 + i] as number);
        bytes[mask + i] = marked;
        masked += marked;
      }
    }
    return masked + this.#maskShared(files);
  }

  #maskShared(files: FileBits): number {
    const { bytes } = this.#blocks.arrays;
    let more = 0;
    for (const [slot, others] of this.#shared) {
      const { live, mask } = this.#blocks.placeOf(slot);
      const at = slot % BLOCK;
      if (bytes[live + at] === 0 || bytes[mask + at] === 1) continue;
      if (others !== null && !others.some((file) => passesAt(files, file) === 1)) continue;
      bytes[mask + at] = 1;
      more++;
    }
    return more;
  }
}

function passesAt(files: FileBits, file: number): 0 | 1 {
  const at = file >> 3;
  return at < files.length ? ((((files[at] as number) >> (file & 7)) & 1) as 0 | 1) : 0;
}
