/** Where the records of a place stand, for backup and restore. Danger: the two must mean the same files as the server. */
import { agentKeysPath } from '@vault-mcp/api/open-callers';
import type { Config } from '@vault-mcp/shared/config/schema';
import type { RecordName, RecordPlaces } from '@vault-mcp/shared/records/record-set';
import { counted } from './output.ts';

export function recordPlaces(config: Config): RecordPlaces {
  return { dataPath: config.data.path, vaultPath: config.vault.path, keysFile: agentKeysPath(config) };
}

const WORDS: Readonly<Record<RecordName, readonly [one: string, many: string, what: string]>> = {
  audit: ['call', 'calls', 'who called what'],
  memory: ['proposal', 'proposals', 'what agents proposed'],
  journal: ['line', 'lines', 'the one-fact writes'],
  discards: ['text', 'texts', 'what was not taken into a note'],
  'agent-keys': ['agent', 'agents', 'digests of their keys'],
  'move-intents': ['move', 'moves', 'that were not finished'],
};

/** One line a record: how much of it, and what it is. */
export function recordLines(records: readonly { readonly record: string; readonly rows: number }[]): string[] {
  const rows = new Map<string, number>();
  for (const file of records) rows.set(file.record, (rows.get(file.record) ?? 0) + file.rows);
  return [...rows].map(([record, count]) => {
    const [one, many, what] = WORDS[record as RecordName];
    return `  ${record.padEnd(12)}  ${counted(count, one, many)}: ${what}`;
  });
}
