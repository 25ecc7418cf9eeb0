/**
 * What happens when an endpoint refuses a batch: halve it until the offending text is alone, shorten that one if
 * length may be the reason, else say why it cannot be embedded; all others go on. Danger: calls. Every path here is
 * bounded: about two calls per text, and a handful more for a text that is shortened.
 */
import { CallFailure } from '../remote/json-call.ts';
import { truncateAtBoundary } from './batches.ts';
import { EmbedderError, type EmbedOutcome } from './embedder.ts';

export type EmbedCall = (texts: readonly string[]) => Promise<EmbedOutcome[]>;

/** Halvings of a refused text: six take 2 000 tokens down to about thirty. */
const MAX_SHORTENINGS = 6;
const SHORTEST_CHARACTERS = 64;
/** A refused text longer than this (about 550 tokens) may be too long for a model of 512, even if nobody says so. */
const SUSPICIOUS_CHARACTERS = 2000;
const SAYS_LENGTH = /too (long|large|many)|context|token|length|exceed|maximum|EOF/i;
/** Harmless to every model: if even this is refused, the request is at fault and no text is. */
const CANARY = 'ok';

/** A 4xx about the request, or the 500 that Ollama answers when its runner dies of one text (FACTS). */
export function blamesText(failure: unknown): failure is CallFailure {
  if (!(failure instanceof CallFailure)) return false;
  return failure.kind === 'refused' || (failure.status === 500 && /\bEOF\b/.test(failure.said));
}

/**
 * @param texts a batch that was just refused with `failure`
 * @returns one outcome per text, in order
 * @throws EmbedderError `configuration` when the endpoint refuses any text; CallFailure for what is no refusal
 */
export async function isolate(
  texts: readonly string[],
  failure: CallFailure,
  embed: EmbedCall,
): Promise<EmbedOutcome[]> {
  try {
    await embed([CANARY]);
  } catch (error) {
    if (error instanceof CallFailure && error.kind === 'refused') {
      throw new EmbedderError(
        'configuration',
        `The embedder refuses every text (${error.message}): check EMBED_MODEL and OLLAMA_URL.`,
      );
    }
    throw error;
  }
  return halve(texts, failure, embed);
}

async function halve(texts: readonly string[], failure: CallFailure, embed: EmbedCall): Promise<EmbedOutcome[]> {
  const [only] = texts;
  if (texts.length === 1 && only !== undefined) return [await shorten(only, failure, embed)];
  const middle = Math.ceil(texts.length / 2);
  const outcomes: EmbedOutcome[] = [];
  for (const half of [texts.slice(0, middle), texts.slice(middle)]) {
    try {
      outcomes.push(...(await embed(half)));
    } catch (error) {
      if (!blamesText(error)) throw error;
      outcomes.push(...(await halve(half, error, embed)));
    }
  }
  return outcomes;
}

async function shorten(text: string, refused: CallFailure, embed: EmbedCall): Promise<EmbedOutcome> {
  let failure = refused;
  let shorter = text;
  for (let step = 0; step < MAX_SHORTENINGS && shorter.length > SHORTEST_CHARACTERS; step++) {
    if (text.length <= SUSPICIOUS_CHARACTERS && !blamesLength(failure)) break;
    shorter = truncateAtBoundary(shorter, Math.max(SHORTEST_CHARACTERS, Math.floor(shorter.length / 2)));
    try {
      const [outcome] = await embed([shorter]);
      if (outcome !== undefined) return outcome;
    } catch (error) {
      if (!blamesText(error)) throw error;
      failure = error;
    }
  }
  return { error: `The embedder refused this text: ${failure.message}` };
}

function blamesLength(failure: CallFailure): boolean {
  return failure.status === 413 || SAYS_LENGTH.test(failure.said);
}
