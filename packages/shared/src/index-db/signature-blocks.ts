/**
 * Signatures side by side in one WebAssembly memory, with what is known of each, for signature-kernel.wat. It grows a block at a
 * time and moves nothing, so that it never holds more than it needs, nor two copies. Danger: whenever it grows, every array over
 * the memory is lost; so the arrays are asked for at each use and kept by nobody.
 */
import { SIGNATURE_KERNEL_BASE64 } from './signature-kernel-bytes.ts';

/** The part of the JavaScript API of WebAssembly used here; neither ES2023's nor Node's types name it. */
declare namespace WebAssembly {
  class Memory {
    constructor(descriptor: { initial: number });
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module, imports: object);
    readonly exports: object;
  }
}

const PAGE_BYTES = 65_536;
/** Slots in a block. */
export const BLOCK = 1024;
/** Planes of bits a query is given as. */
export const PLANES = 8;

/** See signature-kernel.wat. */
export interface SignatureKernel {
  compare(
    signatures: number,
    words: number,
    count: number,
    mask: number,
    query: number,
    out: number,
    histogram: number,
  ): void;
  collect(differences: number, count: number, most: number, first: number, out: number): number;
  weigh(signature: number, words: number, planes: number, low: number, step: number, total: number): number;
}

/** Where in the memory a query and what is worked out for it stand. */
export interface Scratch {
  readonly query: number;
  readonly planes: number;
  /** A u32 for each number of bits. */
  readonly histogram: number;
  /** Room for the slots of one block. */
  readonly slots: number;
}

/** Where the parts of a block stand: a number each of a slot, but for the signatures' words. */
export interface BlockPlace {
  readonly signatures: number;
  /** f32 */
  readonly scales: number;
  /** u32 */
  readonly ids: number;
  /** u32 */
  readonly owners: number;
  /** u16, of the query in hand */
  readonly differences: number;
  /** A byte: whether its signature is one of a vector that is there. */
  readonly live: number;
  /** A byte: whether it is looked at, of the query in hand. */
  readonly mask: number;
}

interface Arrays {
  readonly bytes: Uint8Array;
  readonly shorts: Uint16Array;
  readonly ints: Uint32Array;
  readonly floats: Float32Array;
}

export class SignatureBlocks {
  /** 64-bit words a signature. */
  readonly words: number;
  readonly kernel: SignatureKernel;
  readonly scratch: Scratch;
  readonly #memory: WebAssembly.Memory;
  readonly #firstBlock: number;
  readonly #blockBytes: number;
  #arrays: Arrays;
  #count = 0;
  #live = 0;

  constructor(words: number) {
    this.words = words;
    const bytes = words * 8;
    const [query, planes, histogram] = [0, bytes, bytes * (1 + PLANES)];
    const slots = upTo8(histogram + (words * 64 + 1) * 4);
    this.scratch = { query, planes, histogram, slots };
    // One more than the slots of a block: the kernel writes before it knows whether it keeps.
    this.#firstBlock = upTo8(slots + (BLOCK + 1) * 4);
    this.#blockBytes = BLOCK * (bytes + 4 + 4 + 4 + 2 + 1 + 1);
    this.#memory = new WebAssembly.Memory({ initial: Math.ceil(this.#firstBlock / PAGE_BYTES) });
    this.#arrays = arraysOver(this.#memory.buffer);
    const module = new WebAssembly.Module(Buffer.from(SIGNATURE_KERNEL_BASE64, 'base64'));
    this.kernel = new WebAssembly.Instance(module, { env: { memory: this.#memory } }).exports as SignatureKernel;
  }

  /** Slots in use. */
  get count(): number {
    return this.#count;
  }

  /** Of these the ones whose vector is there. */
  get liveCount(): number {
    return this.#live;
  }

  get arrays(): Arrays {
    return this.#arrays;
  }

  byteLength(): number {
    return this.#memory.buffer.byteLength;
  }

  blocks(): number {
    return Math.ceil(this.#count / BLOCK);
  }

  /** Slots in use of a block. */
  countIn(block: number): number {
    return Math.min(BLOCK, this.#count - block * BLOCK);
  }

  place(block: number): BlockPlace {
    const signatures = this.#firstBlock + block * this.#blockBytes;
    const scales = signatures + BLOCK * this.words * 8;
    const [ids, owners, differences] = [scales + BLOCK * 4, scales + BLOCK * 8, scales + BLOCK * 12];
    return { signatures, scales, ids, owners, differences, live: scales + BLOCK * 14, mask: scales + BLOCK * 15 };
  }

  /** @throws RangeError when there is no memory for another block */
  add(id: number): number {
    const slot = this.#count;
    if (slot % BLOCK === 0) this.#growTo(this.#firstBlock + (slot / BLOCK + 1) * this.#blockBytes);
    this.#count++;
    this.#arrays.ints[this.#intAt(this.placeOf(slot).ids, slot)] = id;
    return slot;
  }

  idOf(slot: number): number {
    return this.#arrays.ints[this.#intAt(this.placeOf(slot).ids, slot)] as number;
  }

  /** @param signature as toSignature makes it, of this many words */
  write(slot: number, signature: Uint8Array): void {
    const { signatures, scales, live } = this.placeOf(slot);
    const bits = this.words * 8;
    this.#arrays.bytes.set(signature.subarray(0, bits), signatures + (slot % BLOCK) * bits);
    this.#arrays.bytes.set(signature.subarray(bits), scales + (slot % BLOCK) * 4);
    this.#live += 1 - (this.#arrays.bytes[live + (slot % BLOCK)] as number);
    this.#arrays.bytes[live + (slot % BLOCK)] = 1;
  }

  /** Its vector is gone. */
  drop(slot: number): void {
    const at = this.placeOf(slot).live + (slot % BLOCK);
    this.#live -= this.#arrays.bytes[at] as number;
    this.#arrays.bytes[at] = 0;
  }

  own(slot: number, owner: number): void {
    this.#arrays.ints[this.#intAt(this.placeOf(slot).owners, slot)] = owner;
  }

  placeOf(slot: number): BlockPlace {
    return this.place(Math.floor(slot / BLOCK));
  }

  #intAt(place: number, slot: number): number {
    return place / 4 + (slot % BLOCK);
  }

  #growTo(bytes: number): void {
    const missing = bytes - this.#memory.buffer.byteLength;
    if (missing <= 0) return;
    this.#memory.grow(Math.ceil(missing / PAGE_BYTES));
    this.#arrays = arraysOver(this.#memory.buffer);
  }
}

function arraysOver(buffer: ArrayBuffer): Arrays {
  return {
    bytes: new Uint8Array(buffer),
    shorts: new Uint16Array(buffer),
    ints: new Uint32Array(buffer),
    floats: new Float32Array(buffer),
  };
}

function upTo8(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}
