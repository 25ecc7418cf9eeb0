/** How far two texts lie apart in meaning. Pure. Danger: it is right for vectors of unit length alone, as embedders here give them. */

/** @param other of the same space @returns 0 (alike) to 2; rounding never makes it less than 0 */
export function cosineDistance(one: Float32Array, other: Float32Array): number {
  let product = 0;
  for (let i = 0; i < one.length; i++) product += (one[i] as number) * (other[i] as number);
  return Math.max(0, 1 - product);
}
