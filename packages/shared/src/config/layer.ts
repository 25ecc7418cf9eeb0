/**
 * One layer of the configuration after reading: values by key, each already validated, and every problem met. Pure.
 * Danger: messages may end up in logs and screenshots, so a secret's or a URL's value is never quoted.
 */
import type { z } from 'zod';
import { KEYS, type Key } from './key-table.ts';

/** What one layer sets. `problems` are whole lines for people. */
export interface Layer {
  readonly values: ReadonlyMap<string, unknown>;
  readonly problems: readonly string[];
}

/** Collects the values and problems of one layer while it is read. */
export class LayerBuilder implements Layer {
  readonly values = new Map<string, unknown>();
  readonly problems: string[] = [];

  /** Notes a problem as `<where>: <what>`. */
  refuse(where: string, what: string): void {
    this.problems.push(`${where}: ${what}`);
  }

  /**
   * Validates `raw` as the value of `key` and keeps it, or notes what is wrong with it.
   * @param where the layer as people know it: a variable, a file with a line, an option
   */
  set(key: Key, raw: unknown, where: string): void {
    const outcome = key.schema.safeParse(raw);
    if (outcome.success) {
      this.values.set(key.name, outcome.data);
      return;
    }
    for (const issue of outcome.error.issues) this.refuse(where, describeIssue(key, raw, issue));
  }
}

/** Values that come from neither file nor environment (command-line options), by dotted key. */
export function optionsLayer(options: Readonly<Record<string, unknown>>): Layer {
  const layer = new LayerBuilder();
  for (const [name, value] of Object.entries(options)) {
    const key = KEYS.get(name);
    if (key === undefined) throw new Error(`no configuration key is called ${name}`);
    layer.set(key, value, 'command line');
  }
  return layer;
}

const UNION_FALLBACK = 'has a value it does not understand';

function describeIssue(key: Key, raw: unknown, issue: z.core.$ZodIssue): string {
  const place = issue.path.length === 0 ? '' : ` (${issue.path.join('.')})`;
  if (issue.code === 'unrecognized_keys') return `${key.name}${place} has unknown fields: ${issue.keys.join(', ')}`;
  const inner = issue.code === 'invalid_key' ? issue.issues.map((each) => each.message).join('; ') : issue.message;
  const message = inner === 'Invalid input' ? UNION_FALLBACK : inner;
  return `${key.name}${place} ${message}${quoted(key, raw, issue.path)}`;
}

function quoted(key: Key, raw: unknown, path: readonly PropertyKey[]): string {
  if (key.setting.secret === true || key.setting.sensitive === true) return '';
  let value: unknown = raw;
  for (const part of path) value = (value as Record<PropertyKey, unknown> | undefined)?.[part];
  if (value === undefined || (typeof value === 'object' && value !== null)) return '';
  const written = JSON.stringify(value);
  return `, not ${written.length > 80 ? `${written.slice(0, 80)}…` : written}`;
}
