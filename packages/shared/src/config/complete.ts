/**
 * From layers to one whole set of values: the highest layer that sets a key wins, defaults fill the rest, paths become
 * absolute, and keys whose default follows another key are settled. Pure.
 */
import { join, resolve } from 'node:path';
import { KEYS, type Key } from './key-table.ts';
import type { Layer } from './layer.ts';

export type RunMode = 'containers' | 'embedded';

/** Values by key, and which keys somebody set (rather than a default). */
export interface Settled {
  readonly values: ReadonlyMap<string, unknown>;
  readonly chosen: ReadonlySet<string>;
  readonly problems: readonly string[];
}

/**
 * @param layers lowest first
 * @param cwd what relative paths are resolved against
 */
export function settle(layers: readonly Layer[], mode: RunMode, cwd: string): Settled {
  const values = new Map<string, unknown>();
  const chosen = new Set<string>();
  const problems: string[] = [];
  for (const key of KEYS.values()) {
    const layer = layers.findLast((each) => each.values.has(key.name));
    if (layer !== undefined) {
      chosen.add(key.name);
      values.set(key.name, layer.values.get(key.name));
    } else {
      const value = defaultOf(key, mode);
      if (value === 'required') problems.push(`${key.name} has no default here; set ${key.setting.variable}`);
      else values.set(key.name, value);
    }
    if (key.setting.localPath === true) makeAbsolute(values, key.name, cwd);
  }
  placeInDataFolder(values, chosen);
  leaveOutRawMaterial(values);
  withholdKeys(values, chosen);
  return { values, chosen, problems };
}

/** The default of a key in a mode; the text `required` where there is none. */
export function defaultOf(key: Key, mode: RunMode): unknown {
  const { default: containers, embedded } = key.setting;
  return mode === 'embedded' && embedded !== undefined ? embedded : containers;
}

function makeAbsolute(values: Map<string, unknown>, name: string, cwd: string): void {
  const path = values.get(name);
  if (typeof path === 'string') values.set(name, resolve(cwd, path));
}

function placeInDataFolder(values: Map<string, unknown>, chosen: ReadonlySet<string>): void {
  const data = values.get('data.path');
  if (typeof data !== 'string') return;
  for (const { name, setting } of KEYS.values()) {
    if (setting.fileInData !== undefined && !chosen.has(name)) values.set(name, join(data, setting.fileInData));
  }
}

/** What wiki_ingest keeps as it came is no note of anybody's, so it is never indexed: said here once for all who ask. */
function leaveOutRawMaterial(values: Map<string, unknown>): void {
  const wiki = values.get('wiki.dir');
  const dirs = values.get('index.exclude_dirs');
  if (typeof wiki !== 'string' || !Array.isArray(dirs)) return;
  const raw = `${wiki}/raw`;
  if (!dirs.includes(raw)) values.set('index.exclude_dirs', [...dirs, raw]);
}

/** A key goes only to an endpoint the user set: beside a default address it is dropped here, once for every caller. */
function withholdKeys(values: Map<string, unknown>, chosen: ReadonlySet<string>): void {
  const ownEndpoint = chosen.has('embedding.ollama_url');
  if (!ownEndpoint) values.set('embedding.api_key', null);
  if (!ownEndpoint && values.get('gate.url') === null) values.set('gate.api_key', null);
}

/** `{'search.default_k': 6}` → `{search: {default_k: 6}}`. */
export function nest(values: ReadonlyMap<string, unknown>): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const [name, value] of values) {
    const dot = name.indexOf('.');
    if (dot === -1) {
      root[name] = value;
      continue;
    }
    const section = name.slice(0, dot);
    const inner = (root[section] ?? {}) as Record<string, unknown>;
    inner[name.slice(dot + 1)] = value;
    root[section] = inner;
  }
  return root;
}
