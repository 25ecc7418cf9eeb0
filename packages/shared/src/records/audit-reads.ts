/**
 * Reads the audit log. Danger: rows can be millions, so every question has a limit, and no statement is left running.
 */
import type { RecordDatabase } from './versioned-database.ts';

export interface AuditRow {
  /** Grows with every row. */
  readonly id: number;
  /** When the call began, in milliseconds since 1970. */
  readonly timeMs: number;
  readonly surface: string;
  readonly operation: string;
  readonly agent: string;
  readonly argsDigest: string;
  readonly outcome: string;
  readonly durationMs: number;
}

/** Each field given narrows; none means every call. */
export interface AuditFilter {
  /** At most so many rows. */
  readonly limit: number;
  /** Calls that began at or after this time, in milliseconds since 1970. */
  readonly sinceMs?: number | undefined;
  /** Calls that began before this time. */
  readonly untilMs?: number | undefined;
  readonly surface?: string | undefined;
  readonly operation?: string | undefined;
  readonly agent?: string | undefined;
  readonly outcome?: string | undefined;
  /** Only rows with a smaller id: the last one of the page before. */
  readonly beforeId?: number | undefined;
}

const CONDITIONS: Readonly<Record<Exclude<keyof AuditFilter, 'limit'>, string>> = {
  sinceMs: 'time_ms >= @sinceMs',
  untilMs: 'time_ms < @untilMs',
  surface: 'surface = @surface',
  operation: 'operation = @operation',
  agent: 'agent = @agent',
  outcome: 'outcome = @outcome',
  beforeId: 'id < @beforeId',
};

/** Newest first: as written, which for calls at the same time is the order they ended in. */
export function readAudit(db: RecordDatabase, filter: AuditFilter): AuditRow[] {
  const given = Object.entries(CONDITIONS).filter(([field]) => filter[field as keyof AuditFilter] !== undefined);
  const where = given.length === 0 ? '' : `WHERE ${given.map(([, condition]) => condition).join(' AND ')}`;
  return db
    .prepare<AuditFilter, AuditRow>(
      `SELECT id, time_ms AS timeMs, surface, operation, agent, args_digest AS argsDigest, outcome,
              duration_ms AS durationMs FROM call ${where} ORDER BY id DESC LIMIT @limit`,
    )
    .all(filter);
}
