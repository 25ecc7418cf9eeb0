/**
 * Which numbers a search ranks with: the configured ones, and for a weight left open the one that suits the embedder.
 * Danger: k and the two weights decide together whether one arm can drown the other. A hit that is first in one arm alone
 * outranks rank r of the other only when its weight is at least (k + 1)/(k + r) of the other's: with k = 60, 0.5 against 1
 * silenced words entirely.
 */
import type { EmbedderProvider } from '@vault-mcp/shared/embedding/embedder';

/** The fusion part of `search.*` as configured; a weight that is null or absent is chosen by embedder. */
export interface FusionSettings {
  readonly rrf_k: number;
  readonly dense_weight?: number | null | undefined;
  readonly lexical_weight?: number | null | undefined;
  readonly candidates: number;
  readonly document_weight: number;
  readonly mmr_lambda: number;
}

/** The constants in force for one search; what `explain` shows. */
export interface RankingConstants {
  readonly rrf_k: number;
  readonly dense_weight: number;
  readonly lexical_weight: number;
  readonly candidates: number;
  readonly document_weight: number;
  readonly mmr_lambda: number;
}

interface ArmWeights {
  readonly dense: number;
  readonly lexical: number;
}

/**
 * What `npm run relevance:fusion` shows (bench/RESULTS.md), with k = 10: nDCG@10 above the better arm on each of four judged
 * collections, and the same choice when any one of them is left out for the built-in model. A full-size sentence model and BM25
 * are peers (+0.004 to +0.040). The built-in model ranks far below BM25 by itself (medline .441 against .692) and still helps where words have three times its
 * weight (+0.007 to +0.017); at equal weights it takes away up to 0.080. The `lexical` embedder knows no more than words do (−0.002 to +0.010).
 */
const WEIGHTS_BY_PROVIDER: Readonly<Record<EmbedderProvider, ArmWeights>> = {
  ollama: { dense: 1, lexical: 1 },
  openai: { dense: 1, lexical: 1 },
  builtin: { dense: 1, lexical: 3 },
  lexical: { dense: 1, lexical: 4 },
};

/**
 * @param settings what the configuration says
 * @param provider the embedder in use; null when there is none, so that only words rank
 */
export function rankingConstants(settings: FusionSettings, provider: EmbedderProvider | null): RankingConstants {
  const byEmbedder = WEIGHTS_BY_PROVIDER[provider ?? 'lexical'];
  return {
    rrf_k: settings.rrf_k,
    dense_weight: settings.dense_weight ?? byEmbedder.dense,
    lexical_weight: settings.lexical_weight ?? byEmbedder.lexical,
    candidates: settings.candidates,
    document_weight: settings.document_weight,
    mmr_lambda: settings.mmr_lambda,
  };
}
