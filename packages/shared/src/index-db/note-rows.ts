/**
 * What the index says of notes to who compares them with one another, or a text with them. Pure types.
 */
import type { ChunkVector } from './note-vector.ts';
import type { FileStat } from './rows.ts';

/** A note near a vector. */
export interface NearestNote {
  readonly fileId: number;
  readonly path: string;
  /** Of the bytes that its vector was made of. */
  readonly sha256: string;
  /** Cosine distance, from 0 to 2. */
  readonly distance: number;
}

/** A chunk of a note with its vector. */
export interface EmbeddedChunk extends ChunkVector {
  readonly text: string;
}

/** A note as it was when it was last looked at; `sha256` is empty where it could not be read. */
export interface NamedNote extends FileStat {
  readonly sha256: string;
}

export interface SupersededNote {
  readonly path: string;
  /** What its frontmatter says: a link, a path or whatever a person wrote. */
  readonly supersededBy: string;
}
