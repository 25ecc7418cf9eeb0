/**
 * The schema seen as a flat table of dotted keys, and the search for the key somebody meant. Pure; the loader, the
 * example's test and the documentation's test walk this table.
 */
import { closest, distance } from 'fastest-levenshtein';
import { z } from 'zod';
import { configSchema } from './schema.ts';
import { type Setting, settingRegistry } from './setting.ts';

/** One key: its dotted name (`search.default_k`), how it is declared and the zod schema of its value. */
export interface Key {
  readonly name: string;
  readonly setting: Setting;
  readonly schema: z.ZodType;
}

/** Every key by its dotted name, in the order of the schema. */
export const KEYS: ReadonlyMap<string, Key> = collectKeys();

/** The sections (`search`) that hold keys. */
export const SECTIONS: ReadonlySet<string> = new Set(
  [...KEYS.keys()].filter((name) => name.includes('.')).map((name) => name.slice(0, name.indexOf('.'))),
);

function collectKeys(): Map<string, Key> {
  const keys = new Map<string, Key>();
  const visit = (schema: z.ZodType, name: string): void => {
    const setting = settingRegistry.get(schema);
    if (setting !== undefined) {
      keys.set(name, { name, setting, schema });
    } else if (schema instanceof z.ZodObject) {
      for (const [part, inner] of Object.entries(schema.shape)) visit(inner, name === '' ? part : `${name}.${part}`);
    } else {
      throw new Error(`configuration key ${name} is not declared through setting.ts`);
    }
  };
  visit(configSchema, '');
  return keys;
}

/**
 * The key somebody most likely meant by `unknown`: the key an environment variable stands for, the same last part in
 * another section, the nearest in the same section, else the nearest of all.
 * @param unknown a dotted key, a section or a variable's name that is not in the table
 */
export function nearestKey(unknown: string): string {
  const names = [...KEYS.keys()].filter((name) => KEYS.get(name)?.setting.secret !== true);
  for (const { name, setting } of KEYS.values()) {
    if (setting.variable === unknown.toUpperCase()) return name;
  }
  const dot = unknown.indexOf('.');
  if (dot === -1) return closest(unknown, [...SECTIONS, ...names.filter((name) => !name.includes('.'))]);
  const section = unknown.slice(0, dot);
  const leaf = unknown.slice(dot + 1);
  const elsewhere = names.find((name) => name.endsWith(`.${leaf}`));
  if (elsewhere !== undefined) return elsewhere;
  const siblings = names.filter((name) => name.startsWith(`${section}.`));
  const sibling = siblings.length > 0 ? closest(unknown, siblings) : undefined;
  if (sibling !== undefined && distance(sibling, unknown) <= 4) return sibling;
  return closest(unknown, names);
}
