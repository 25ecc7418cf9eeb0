/** What an indexer logs of each reconcile: how many files it saw, and how many of them it then looked at. */
import { createLogger, type Logger } from '@vault-mcp/shared/log';

export interface Comparison {
  readonly seen: number;
  readonly differing: number;
}

/** A logger for an indexer, and what it says of its reconciles, in their order. */
export function recordComparisons(): { readonly logger: Logger; readonly compared: Comparison[] } {
  const compared: Comparison[] = [];
  const write = (line: string) => {
    const { seen, differing } = JSON.parse(line) as Partial<Comparison>;
    if (seen !== undefined && differing !== undefined) compared.push({ seen, differing });
  };
  return { logger: createLogger({ name: 'test', destination: { write } }), compared };
}
