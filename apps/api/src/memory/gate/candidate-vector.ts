/**
 * What a candidate says as a whole, as a vector like those of the notes in the index: the note it would be is chunked, embedded
 * and averaged alike. Danger: the embedder may hang or die, and vectors of another space compare with nothing; either leaves
 * words, and is said.
 */
import { embeddedText } from '@vault-mcp/shared/chunk/embedded-text';
import type { Embedder } from '@vault-mcp/shared/embedding/embedder';
import { noteVector } from '@vault-mcp/shared/index-db/note-vector';
import { reasonOf } from '@vault-mcp/shared/log';
import { sharesSpace } from '../../search/dense.ts';
import type { GatePorts } from '../ports.ts';
import type { GateDegraded } from '../types.ts';
import type { CandidateChunks } from './candidate-chunks.ts';

const TIMEOUT_MS = 10_000;

export type CandidateVector = { readonly vector: Float32Array } | { readonly degraded: GateDegraded };

type VectorPorts = Pick<GatePorts, 'reader' | 'log'> & { readonly embedder: Embedder };

/** @returns null when it says nothing that has a direction */
export async function candidateVector(
  { reader, embedder, log }: VectorPorts,
  { title, description, chunks }: CandidateChunks,
  timeoutMs: number = TIMEOUT_MS,
): Promise<CandidateVector | null> {
  if (!sharesSpace(reader, embedder)) return { degraded: 'vectors_pending' };
  const texts = chunks.map(({ breadcrumb, text }) => embeddedText({ title, description, breadcrumb, text }));
  try {
    const outcomes = await inTime(timeoutMs, (signal) => embedder.embedDocuments(texts, signal));
    const vectors = outcomes.flatMap((outcome, at) => {
      if ('error' in outcome) return [];
      return [{ bytes: Buffer.byteLength(chunks[at]?.text ?? '', 'utf8'), vector: outcome.vector }];
    });
    // A part that cannot be embedded would leave another note's vector.
    if (vectors.length < texts.length) return { degraded: 'embedder_unavailable' };
    const vector = noteVector(vectors);
    return vector === null ? null : { vector };
  } catch (error) {
    log.debug({ reason: reasonOf(error) }, 'candidate not embedded: compared by words only');
    return { degraded: 'embedder_unavailable' };
  }
}

/** Raced as well as signalled: an embedder that ignores its signal must not hold the answer up. */
async function inTime<T>(timeoutMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(timeoutMs);
  return Promise.race([
    work(signal),
    new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    }),
  ]);
}
