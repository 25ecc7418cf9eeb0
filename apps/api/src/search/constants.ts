/**
 * Which numbers a search ranks with: the configured ones, and for a weight left open the one that suits the embedder.
 * Danger: the two weights decide whether one arm can drown the other. With k = 60 a hit of one arm alone outranks rank
 * r of the other only when its weight is at least 61/(60 + r) of the other's, so 0.5 against 1 silenced words entirely.
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
 * A full-size sentence model and BM25 are peers: equal weights let the first hit of either arm reach the first page.
 * The small built-in model ranks below BM25 by itself (nDCG@10 on medline .466 against .712): fused at weight 0.5 for
 * words it pulled the result down to .606, at 4 it stayed at .696; cranfield .282 and .360 likewise. The `lexical`
 * embedder knows no more than words do.
 */
const WEIGHTS_BY_PROVIDER: Readonly<Record<EmbedderProvider, ArmWeights>> = {
  ollama: { dense: 1, lexical: 1 },
  openai: { dense: 1, lexical: 1 },
  builtin: { dense: 1, lexical: 4 },
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
