/**
 * From the text of an environment variable, or the value of a YAML node, to the value a key's schema judges. Pure.
 * What cannot be read as the key's kind is passed on as it is, so that the schema refuses it with the key's own words.
 */
import type { SettingKind } from './setting.ts';

const DECIMAL = /^[+-]?\d+(\.\d+)?$/;
const YES = new Set(['true', 'yes', 'on', '1']);
const NO = new Set(['false', 'no', 'off', '0']);

/**
 * The value an environment variable's text stands for.
 * Numbers are plain decimals; flags are true/yes/on/1 and false/no/off/0 in any case; lists are split at commas.
 */
export function fromVariable(kind: SettingKind, text: string): unknown {
  switch (kind) {
    case 'number':
      return DECIMAL.test(text.trim()) ? Number(text) : text;
    case 'flag':
      return asFlag(text) ?? text;
    case 'auto-flag':
      return asFlag(text) ?? text.trim().toLowerCase();
    case 'list':
      return splitList(text);
    case 'text':
    case 'mapping':
      return text;
  }
}

/** The value a YAML scalar, sequence or mapping stands for: only lists may be written in a second way, as text. */
export function fromYaml(kind: SettingKind, value: unknown): unknown {
  return kind === 'list' && typeof value === 'string' ? splitList(value) : value;
}

/** `a, b,` → `['a', 'b']`: parts are trimmed, empty ones dropped. */
export function splitList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function asFlag(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  if (YES.has(word)) return true;
  if (NO.has(word)) return false;
  return undefined;
}
