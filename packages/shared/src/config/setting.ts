/**
 * How one configuration key is declared: its zod type together with what a person and the loader need to know of it
 * (variable, default, doc). Danger: the example file, the documentation and the loader are all derived from or
 * compared with these declarations, so a key declared any other way would be invisible to them.
 */
import { z } from 'zod';

/** How a value is written in an environment variable; decides the coercion, never the validation. */
export type SettingKind = 'text' | 'number' | 'flag' | 'auto-flag' | 'list' | 'mapping';

/** Everything said of a key apart from its type. `T` is the key's settled type. */
export interface SettingDescription<T> {
  /** The environment variable; null when the key can only be set in the file. */
  readonly variable: string | null;
  /** One or two sentences for config.example.yaml and the documentation. */
  readonly doc: string;
  /** The default for the containers; `null` in a key that allows it means "none" or "decided by another key". */
  readonly default: T;
  /** The default in embedded mode where it differs; `required`: there is none, somebody must name a value. */
  readonly embedded?: T | 'required';
  /** The default is this file inside `data.path`; `default` then shows it for the default `data.path`. */
  readonly fileInData?: string;
  /** A secret: read from the variable or the file named by `<variable>_FILE`, refused in config.yaml, never quoted. */
  readonly secret?: boolean;
  /** May hold a password (a URL): never quoted in a message, and read from a file like a secret where one is named. */
  readonly sensitive?: boolean;
  /** A path on this machine: made absolute against the working directory. */
  readonly localPath?: boolean;
  /** What an empty variable stands for. Without it an empty variable refuses to start. */
  readonly whenEmpty?: T;
}

/** A description with its kind, as stored beside the schema. */
export interface Setting extends SettingDescription<unknown> {
  readonly kind: SettingKind;
}

/** zod schema of a key → its description. Filled by the functions below while the schema modules load. */
export const settingRegistry = z.registry<Setting>();

function declare<S extends z.ZodType>(schema: S, kind: SettingKind, description: SettingDescription<z.infer<S>>): S {
  // zod hands out one registry entry per schema instance; a fresh clone keeps shared building blocks apart.
  const own = schema.clone();
  settingRegistry.add(own, { ...description, kind });
  return own;
}

/** A key holding text (or text and null). */
export function text<S extends z.ZodType<string | null>>(schema: S, description: SettingDescription<z.infer<S>>): S {
  return declare(schema, 'text', description);
}

/** A key holding a number (or a number and null). */
export function number<S extends z.ZodType<number | null>>(schema: S, description: SettingDescription<z.infer<S>>): S {
  return declare(schema, 'number', description);
}

/** A key that is true or false. */
export function flag(description: SettingDescription<boolean>): z.ZodBoolean {
  return declare(z.boolean(), 'flag', description);
}

const autoFlagSchema = z.union([z.boolean(), z.literal('auto')], { error: 'must be auto, true or false' });

/** A key that is `auto`, true or false. */
export function autoFlag(description: SettingDescription<boolean | 'auto'>): typeof autoFlagSchema {
  return declare(autoFlagSchema, 'auto-flag', description);
}

/**
 * A key holding a list: a YAML sequence, or text separated by commas in both layers. An empty variable is an empty
 * list.
 * @param options.filled refuses the empty list
 */
export function list<S extends z.ZodType>(
  element: S,
  description: Omit<SettingDescription<z.infer<S>[]>, 'whenEmpty'>,
  options: { filled: boolean } = { filled: false },
): z.ZodArray<S> {
  const any = z.array(element, 'must be a list');
  const schema = options.filled ? any.min(1, 'must name at least one') : any;
  return declare(schema, 'list', { ...description, whenEmpty: [] as z.infer<S>[] });
}

/** A key holding a mapping; it has no variable and lives in the file only. */
export function mapping<S extends z.ZodType>(
  schema: S,
  description: Omit<SettingDescription<z.infer<S>>, 'variable'>,
): S {
  return declare(schema, 'mapping', { ...description, variable: null });
}
