/**
 * Turns a SearchFilter into SQL over `file f`. Pure. Danger: narrowing must happen before a candidate window is cut,
 * otherwise a search inside a small folder loses its answers to the rest of the vault.
 */
import type { ReadRules } from '../vault/access.ts';
import { pathKey } from '../vault/path.ts';
import type { SearchFilter } from './rows.ts';

export interface FilterSql {
  /** Conditions on `f`, joined with AND; empty when every file passes. */
  readonly where: string;
  readonly parameters: readonly string[];
}

/**
 * @param filter what to keep
 * @param hasSuperseded whether the vault holds any superseded note; when none does the condition costs a join for nothing
 */
export function filterSql(filter: SearchFilter, hasSuperseded: boolean): FilterSql {
  const conditions: string[] = [];
  const parameters: string[] = [];
  const keep = (condition: string, ...values: readonly string[]) => {
    conditions.push(condition);
    parameters.push(...values);
  };
  if (filter.prefix) keep(`(${UNDER})`, ...under(filter.prefix));
  for (const folder of filter.excludeDirs) keep(`NOT (${UNDER})`, ...under(folder));
  if (filter.type !== undefined) keep('f.type = ?', filter.type);
  if (filter.kind !== undefined) keep('f.kind = ?', filter.kind);
  if (filter.tag !== undefined) {
    keep('f.id IN (SELECT file_id FROM file_tag WHERE tag_key = ?)', pathKey(filter.tag.replace(/^#/, '')));
  }
  if (!filter.includeSuperseded && hasSuperseded) keep('f.superseded_by IS NULL');
  if (filter.readable !== null) {
    const { where, parameters: values } = readableSql(filter.readable);
    keep(where, ...values);
  }
  return { where: conditions.join(' AND '), parameters };
}

/** Whether a file may be read: the first of the rules that covers its path decides, the longest standing first. */
export function readableSql(rules: ReadRules): FilterSql {
  const root = rules.find(({ prefix }) => prefix === '')?.read ?? false;
  const stated = rules.filter(({ prefix }) => prefix !== '');
  if (stated.length === 0) return { where: root ? '1' : '0', parameters: [] };
  const cases = stated.map(({ read }) => `WHEN ${UNDER} THEN ${read ? 1 : 0}`);
  return {
    where: `CASE ${cases.join(' ')} ELSE ${root ? 1 : 0} END`,
    parameters: stated.flatMap(({ prefix }) => [prefix, prefix, prefix]),
  };
}

/** A path itself, or anything below it: `0` is the character after `/`, so the range holds whole segments only. */
export const UNDER = "f.path_key = ? OR (f.path_key >= ? || '/' AND f.path_key < ? || '0')";

/** Parameters for UNDER. */
export function under(prefix: string): [string, string, string] {
  const key = pathKey(prefix);
  return [key, key, key];
}
