/**
 * The whole configuration surface, one schema: every key with its type, range, variable, default and doc (the
 * sections hold the keys). Danger: `config.example.yaml` and SPEC's table are compared with this, and every program
 * refuses to start on a key that is not here.
 */
import { z } from 'zod';
import { indexerSection, indexSection, queueSection, watchSection } from './sections/indexing.ts';
import {
  auditSection,
  historySection,
  linksSection,
  logSection,
  maintenanceSection,
  timeZoneSetting,
} from './sections/operation.ts';
import { chunkingSection, embeddingSection, gateSection, searchSection } from './sections/search.ts';
import { agentsSection, mcpSection, serverSection } from './sections/server.ts';
import {
  catalogSection,
  dataSection,
  filesSection,
  notesSection,
  vaultSection,
  wikiSection,
} from './sections/vault.ts';

export const configSchema = z.strictObject({
  vault: vaultSection,
  data: dataSection,
  server: serverSection,
  mcp: mcpSection,
  embedding: embeddingSection,
  chunking: chunkingSection,
  search: searchSection,
  index: indexSection,
  watch: watchSection,
  queue: queueSection,
  indexer: indexerSection,
  catalog: catalogSection,
  notes: notesSection,
  links: linksSection,
  maintenance: maintenanceSection,
  time_zone: timeZoneSetting,
  audit: auditSection,
  history: historySection,
  gate: gateSection,
  agents: agentsSection,
  wiki: wikiSection,
  files: filesSection,
  log: logSection,
});

/** A settled configuration: every key present, validated, paths absolute. What programs pass to their parts. */
export type Config = z.infer<typeof configSchema>;
