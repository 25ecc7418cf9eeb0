/**
 * Turns whatever numbers a model gave into a stored vector. Danger: the vector index accepts NaN and zero vectors
 * and then ranks garbage (FACTS), so they are refused here, per text.
 */
import type { EmbedOutcome } from './embedder.ts';

/**
 * @param values numbers in any scale
 * @returns the same direction at length 1, or why there is none (a non-finite number, or no length)
 */
export function toUnitVector(values: ArrayLike<unknown>): EmbedOutcome {
  const vector = new Float32Array(values.length);
  let largest = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (typeof value !== 'number' || !Number.isFinite(value)) {
      return { error: 'The embedder answered a vector that holds something other than finite numbers.' };
    }
    largest = Math.max(largest, Math.abs(value));
  }
  if (largest === 0) return { error: 'The embedder answered a vector of zeros.' };
  // Dividing by the largest first keeps the squares inside the range of a double, whatever the scale.
  let squares = 0;
  for (let i = 0; i < values.length; i++) squares += ((values[i] as number) / largest) ** 2;
  const length = Math.sqrt(squares);
  for (let i = 0; i < values.length; i++) vector[i] = (values[i] as number) / largest / length;
  return { vector };
}
