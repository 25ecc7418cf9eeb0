/**
 * A vector as its column holds it: float32, little-endian. Danger: what a row's bytes are read into is the row's own memory,
 * and does not always begin where a float may.
 */

export function toBlob({ buffer, byteOffset, byteLength }: Float32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

export function fromBlob(blob: Buffer): Float32Array {
  const { buffer, byteOffset, byteLength } = blob;
  const size = Float32Array.BYTES_PER_ELEMENT;
  if (byteOffset % size === 0) return new Float32Array(buffer, byteOffset, byteLength / size);
  return new Float32Array(Uint8Array.from(blob).buffer);
}
