/**
 * Whether the write gate has ceilings for the embedder in use, as doctor says it: by the configuration, and by the space that the
 * index has, which a server's embedder made. Danger: without ceilings every proposal is refused, and nothing else shows it before.
 */
import { ceilingsFor } from '@vault-mcp/api/memory/gate/ceilings';
import type { Config } from '@vault-mcp/shared/config/schema';
import { resolveSpace } from '@vault-mcp/shared/embedding/settings';
import { spaceDigest } from '@vault-mcp/shared/embedding/space';
import { AppError } from '@vault-mcp/shared/errors';
import { openIndexReader } from '@vault-mcp/shared/index-db/reader';
import type { Finding } from './findings.ts';

/** @param indexed the space of the index's vectors; null: it has none yet */
export function gateFindings(config: Pick<Config, 'server' | 'gate' | 'embedding'>, indexed: string | null): Finding[] {
  // Nothing is proposed there.
  if (config.server.read_only) return [];
  const configured = resolveSpace(config.embedding);
  const space = indexed ?? spaceDigest(configured);
  const { distance_ceiling: distanceCeiling, bm25_ceiling: bm25Ceiling } = config.gate;
  if (ceilingsFor({ distanceCeiling, bm25Ceiling }, { ...configured, space }) !== null) return [];
  return [
    {
      ...{ code: 'gate_uncalibrated', severity: 'info' },
      message: 'The write gate has no ceilings for the embedder in use, so it refuses what agents propose.',
      fix: 'Run vault-mcp gate calibrate, and set GATE_DISTANCE_CEILING and GATE_BM25_CEILING to what it suggests.',
    },
  ];
}

/** Null without an index, or without vectors in it. */
export function indexedSpace({ index }: Pick<Config, 'index'>): string | null {
  const reader = openIndexReader(index.path);
  try {
    return reader.space();
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_ready') return null;
    throw error;
  } finally {
    reader.close();
  }
}
