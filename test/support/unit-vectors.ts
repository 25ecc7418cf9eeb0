/** Vectors that look random and are the same in every run. */

/** @returns a function that gives another vector of unit length at each call */
export function unitVectors(dims: number, seed: number): () => Float32Array {
  let state = seed;
  const number = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
  return () => {
    const vector = Float32Array.from({ length: dims }, number);
    const norm = Math.hypot(...vector);
    return vector.map((value) => value / norm);
  };
}
