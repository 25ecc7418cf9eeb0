/**
 * Short memories that are proposed again in other words, or because they have changed, and ones about something else
 * (gate-pairs.jsonl): what each measures of the memory it says again, and of the nearest other one, by the gate's own means.
 * Danger: a pair that is put there since it suits the ceilings makes them look better than they are.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAnalyzer } from '@vault-mcp/shared/analysis/analyzer';
import { phrasesOf } from '@vault-mcp/shared/analysis/match-expression';
import { chunkOptions } from '@vault-mcp/shared/chunk/options';
import { loadConfig } from '@vault-mcp/shared/config/load';
import { createEmbedder } from '@vault-mcp/shared/embedding/choose';
import { openIndexReader } from '@vault-mcp/shared/index-db/reader';
import { silentLogger } from '@vault-mcp/shared/log';
import { candidateChunks } from '../apps/api/dist/memory/gate/candidate-chunks.js';
import { candidateVector } from '../apps/api/dist/memory/gate/candidate-vector.js';
import { selfRank } from '../apps/api/dist/memory/gate/self-rank.js';
import { SELF_SHARE } from '../apps/api/dist/memory/gate/word-hits.js';
import { lexicalMatch, ONCE, queryFrequencies } from '../apps/api/dist/search/lexical.js';

const PAIRS = readFileSync(process.env.PAIRS ?? 'bench/gate-pairs.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map(JSON.parse);
const FOLDER = 'Memory';
const FILTER = { kind: 'note', excludeDirs: [], includeSuperseded: false, readable: null };
const RANKED = 200;

/** The memories that are kept, one note each, in `vault`. */
export function writeMemories(vault) {
  mkdirSync(join(vault, FOLDER), { recursive: true });
  for (const { kept } of PAIRS) {
    if (kept === undefined) continue;
    const [title, body] = kept;
    writeFileSync(join(vault, pathOf(kept)), `---\ntype: fact\ntitle: ${JSON.stringify(title)}\n---\n${body}\n`);
  }
}

/**
 * @param data of a vault of these memories that was indexed with `provider`
 * @returns {Promise<{kind: string, own: Measure | null, copy: Measure | null, other: Measure}[]>} of each pair the memory itself
 * proposed anew (`copy`), and what is proposed: against the memory it says again (`own`), and against the nearest other one
 */
export async function measurePairs(vault, data, provider) {
  const env = { EMBED_PROVIDER: provider, VAULT_PATH: vault, DATA_PATH: data };
  const config = loadConfig({ mode: 'embedded', cwd: data, env });
  const reader = openIndexReader(join(data, 'index.db'));
  const embedder = await createEmbedder(config.embedding, { logger: silentLogger() });
  const ports = {
    ...{ reader, embedder, analyzer: createAnalyzer('en'), log: silentLogger() },
    chunking: chunkOptions(config.chunking),
  };
  try {
    const rows = [];
    for (const { kind, kept, again } of PAIRS) {
      const [measured, copied] = [await measuresOf(ports, again), kept && (await measuresOf(ports, kept))];
      const path = kept && pathOf(kept);
      const others = [...measured].flatMap(([other, measure]) => (other === path ? [] : [measure]));
      rows.push({
        kind,
        own: kept ? measured.get(path) : null,
        copy: kept ? copied.get(path) : null,
        other: {
          distance: Math.min(...others.map(({ distance }) => distance)),
          rank: Math.min(...others.map(({ rank }) => rank)),
          share: Math.max(...others.map(({ share }) => share)),
        },
      });
    }
    return rows;
  } finally {
    await embedder.close();
    reader.close();
  }
}

/** Whether the gate shows what measures so; a `distance` of null is that of no embedder. */
export function isShown({ distance, rank, share }, ceilings) {
  return (ceilings.distance !== null && distance <= ceilings.distance) || rank <= ceilings.rank || share >= SELF_SHARE;
}

async function measuresOf(ports, [title, body]) {
  const { reader, analyzer } = ports;
  const parts = candidateChunks({ title, body, type: 'fact', namespace: FOLDER, frontmatter: {} }, ports.chunking);
  const { vector } = await candidateVector(ports, parts);
  const match = lexicalMatch(queryFrequencies(reader, analyzer, `${title}\n${body}`, null), reader.chunkCount(), ONCE);
  const { rank: self } = selfRank(ports, phrasesOf(match), parts);
  const ranks = new Map();
  for (const { fileId, bm25 } of reader.lexicalCandidates(match, FILTER, RANKED)) {
    if (!ranks.has(fileId)) ranks.set(fileId, bm25);
  }
  return new Map(
    reader.nearestNotes(vector, FILTER, PAIRS.length).map(({ fileId, path, distance }) => {
      const rank = ranks.get(fileId) ?? 0;
      return [path, { distance, rank, share: rank === 0 ? 0 : rank / self }];
    }),
  );
}

function pathOf([title]) {
  return `${FOLDER}/${title.replaceAll('/', '-')}.md`;
}
