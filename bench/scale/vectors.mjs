/**
 * Vectors that lie as a sentence model's do: all of them lean one way, a few directions matter more than the rest, and they
 * stand in clusters of very different sizes, each member off its centre by noise of the same kind. Danger: vectors that are
 * random all through have no neighbours at all, and ones without noise are found by anything; both say nothing of recall.
 */
import { normalFrom, randomFrom, zipfFrom } from './random.mjs';

export const DIMS = 768;
/** Vectors in a cluster, on average. */
const MEMBERS = 100;
/** Of the length of a vector before it is made one: what all share, its cluster, itself. By these two of one cluster are some .6 apart
 * in cosine similarity, two of different ones .1. */
const [SHARED, CLUSTER, OWN] = [0.35, 0.65, 0.7];
/** How much less each direction matters than the one before: the deviation of the i-th is i to this power. */
const DECAY = -0.45;

/** @param {number} count how many vectors there are to be: there are as many clusters as suit it */
export function vectorSource(count) {
  const random = randomFrom(7);
  const turn = randomTurn(random);
  const draw = drawFrom(normalFrom(random));
  const shared = draw();
  const centres = Array.from({ length: Math.max(20, Math.ceil(count / MEMBERS)) }, draw);
  const cluster = zipfFrom(random, centres.length, 0.5);
  return {
    clusters: centres.length,
    /** A new member of a cluster that is drawn, the larger the more often; it serves as a query too. */
    next() {
      const at = cluster();
      return { cluster: at, vector: turn(mix(shared, centres[at], draw())) };
    },
  };
}

function drawFrom(normal) {
  const deviations = Float64Array.from({ length: DIMS }, (_, i) => (i + 1) ** DECAY);
  const norm = Math.hypot(...deviations);
  return () => {
    const drawn = new Float32Array(DIMS);
    for (let i = 0; i < DIMS; i++) drawn[i] = (normal() * deviations[i]) / norm;
    return drawn;
  };
}

function mix(shared, centre, own) {
  const vector = new Float32Array(DIMS);
  for (let i = 0; i < DIMS; i++) vector[i] = SHARED * shared[i] + CLUSTER * centre[i] + OWN * own[i];
  return vector;
}

/** A rotation, so that no direction is one number of the vector: signs changed and thirds mixed, three times over. */
function randomTurn(random) {
  const third = DIMS / 3;
  const rounds = Array.from({ length: 3 }, () => ({
    signs: Float32Array.from({ length: DIMS }, () => (random() < 0.5 ? -1 : 1)),
    order: shuffled(DIMS, random),
  }));
  return (vector) => {
    let turned = vector;
    for (const { signs, order } of rounds) {
      const next = new Float32Array(DIMS);
      for (let i = 0; i < DIMS; i++) next[i] = turned[order[i]] * signs[order[i]];
      for (let at = 0; at < DIMS; at += third) hadamard(next.subarray(at, at + third));
      turned = next;
    }
    return unit(turned);
  };
}

function hadamard(numbers) {
  for (let half = 1; half < numbers.length; half *= 2) {
    for (let from = 0; from < numbers.length; from += 2 * half) {
      for (let i = from; i < from + half; i++) {
        const [a, b] = [numbers[i], numbers[i + half]];
        numbers[i] = a + b;
        numbers[i + half] = a - b;
      }
    }
  }
}

function shuffled(count, random) {
  const order = Uint16Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

function unit(vector) {
  let squared = 0;
  for (const value of vector) squared += value * value;
  const norm = Math.sqrt(squared);
  return vector.map((value) => value / norm);
}
