/**
 * Reads a query string strictly: every parameter known, given once, well encoded and of its type. Danger: a
 * misspelt parameter that is ignored answers another question than the one asked, so unknown ones are refused.
 */
import { AppError } from '@vault-mcp/shared/errors';
import { nearestName } from '../operations/nearest-name.ts';
import type { HttpContext } from './env.ts';

/** `flag`: present without a value, or true, false, 1, 0. */
export type ParameterKind = 'text' | 'integer' | 'number' | 'flag';
type Value<K extends ParameterKind> = K extends 'text' ? string : K extends 'flag' ? boolean : number;
export type Query<S extends Record<string, ParameterKind>> = { [N in keyof S]?: Value<S[N]> };

function refuse(message: string): never {
  throw new AppError('invalid_request', message);
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    return refuse('The query string is not valid percent-encoded UTF-8; encode it and send it again.');
  }
}

/** As JSON writes numbers, so that a query means what the same body means; hex, blanks and the like are slips. */
export const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;

const FLAG_VALUES = new Map([
  ['', true],
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

function convert(name: string, kind: ParameterKind, value: string): string | number | boolean {
  if (kind === 'text') return value;
  if (kind === 'flag') return FLAG_VALUES.get(value.toLowerCase()) ?? refuse(`"${name}" is a flag: true or false.`);
  if (kind === 'number') {
    const number = NUMBER.test(value) ? Number(value) : Number.NaN;
    return Number.isFinite(number) ? number : refuse(`"${name}" must be a number.`);
  }
  return /^-?\d{1,15}$/.test(value) ? Number(value) : refuse(`"${name}" must be a whole number.`);
}

function refuseUnknown(name: string, known: readonly string[]): never {
  const shown = JSON.stringify(name.slice(0, 60));
  if (known.length === 0) return refuse(`${shown} is no parameter here; this call takes none.`);
  const nearest = nearestName(name, known);
  const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  return refuse(`${shown} is no parameter of this call.${hint} It takes: ${known.join(', ')}.`);
}

/**
 * @param spec parameter name → its kind
 * @returns the parameters that were given, converted; absent ones are absent
 * @throws AppError invalid_request naming the parameter, and for an unknown one the nearest known
 */
export function readQuery<S extends Record<string, ParameterKind>>(c: HttpContext, spec: S): Query<S> {
  const start = c.req.url.indexOf('?');
  const parts = start < 0 ? [] : c.req.url.slice(start + 1).split('&');
  const values = new Map<string, string | number | boolean>();
  for (const part of parts.filter((each) => each !== '')) {
    const equals = part.indexOf('=');
    const name = decodePart(equals < 0 ? part : part.slice(0, equals));
    const kind = Object.hasOwn(spec, name) ? spec[name] : undefined;
    if (kind === undefined) return refuseUnknown(name, Object.keys(spec));
    if (values.has(name)) return refuse(`"${name}" stands twice in the query; give it once.`);
    values.set(name, convert(name, kind, equals < 0 ? '' : decodePart(part.slice(equals + 1))));
  }
  return Object.fromEntries(values) as Query<S>;
}
