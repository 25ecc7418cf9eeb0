/**
 * Parses what a transport received against an operation's schema and refuses in prose. Danger: the schema library's
 * own words name types, not next steps, and would echo what the caller sent; neither leaves this file.
 */
import { AppError } from '@vault-mcp/shared/errors';
import { z } from 'zod';
import { nearestName } from './nearest-name.ts';

/** Problems named in one refusal; more would bury the first. */
const NAMED_PROBLEMS = 3;

/**
 * @returns the parsed input, defaults filled in
 * @throws AppError invalid_request naming each field that does not fit and, for an unknown one, those there are
 */
export function parseInput<S extends z.ZodObject>(schema: S, value: unknown): z.infer<S> {
  const parsed = schema.safeParse(value ?? {});
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.slice(0, NAMED_PROBLEMS).map((issue) => describeIssue(issue, schema));
  throw new AppError('invalid_request', `${problems.join('; ')}.`, { cause: parsed.error });
}

function describeIssue(issue: z.core.$ZodIssue, schema: z.ZodObject): string {
  const field = issue.path.map(String).join('.');
  switch (issue.code) {
    case 'unrecognized_keys':
      return unknownKeys(issue.keys, field, objectAt(schema, issue.path));
    case 'invalid_type':
      if (field === '') return sendObject(Object.keys(schema.shape));
      return issue.input === undefined && /received undefined/.test(issue.message)
        ? `${field} is required${meaningOf(field, schema)}`
        : `${field} must be ${article(issue.expected)}`;
    case 'invalid_value':
      return `${field} must be ${choice(issue.values.map(String))}`;
    case 'too_small':
      if (issue.minimum === 1 && issue.origin !== 'number' && issue.origin !== 'int')
        return `${field} must not be empty`;
      if (issue.inclusive === false) return `${field} must be above ${issue.minimum}`;
      return `${field} must ${sizeOf(issue.origin)} at least ${counted(issue.minimum, issue.origin)}${unitOf(field, issue.origin, schema)}`;
    case 'too_big':
      return `${field} must ${sizeOf(issue.origin)} at most ${counted(issue.maximum, issue.origin)}${unitOf(field, issue.origin, schema)}`;
    default:
      return `${field} does not fit: ${issue.message}`;
  }
}

function sendObject(fields: readonly string[]): string {
  return fields.length === 0 ? 'Send nothing' : `Send an object with the parameters ${fields.join(', ')}`;
}

/** @param object of which they are no keys, null where nobody can tell */
function unknownKeys(keys: readonly string[], field: string, object: z.ZodObject | null): string {
  const fields = Object.keys(object?.shape ?? {});
  const place = field === '' ? '' : ` in ${field}`;
  const named = `Unknown parameter ${keys.map((key) => unknownName(key, fields)).join(', ')}${place}`;
  return object === null ? named : `${named}; ${known(fields)}`;
}

/** The schema of the object that stands there in what was sent. */
function objectAt(schema: z.ZodObject, path: readonly PropertyKey[]): z.ZodObject | null {
  let at: unknown = schema;
  for (const step of path) {
    if (at instanceof z.ZodObject) at = at.shape[String(step)];
    else if (at instanceof z.ZodArray) at = at.element;
    while (at instanceof z.ZodOptional || at instanceof z.ZodNullable || at instanceof z.ZodDefault) at = at.unwrap();
  }
  return at instanceof z.ZodObject ? at : null;
}

function known(fields: readonly string[]): string {
  return fields.length === 0 ? 'this call takes none' : `there are ${fields.join(', ')}`;
}

/** What the field is for, in the words that its schema is listed with. */
function meaningOf(field: string, { shape }: z.ZodObject): string {
  const { description } = (shape[field] ?? {}) as { description?: string };
  return description === undefined ? ': send it' : ` (${description.replace(/\.$/, '')})`;
}

/** What a number counts, where its description begins with that: without, nobody knows what 60 are. */
function unitOf(field: string, origin: string, { shape }: z.ZodObject): string {
  if (origin === 'string') return '';
  const { description = '' } = (shape[field] ?? {}) as { description?: string };
  return description.startsWith('Seconds') ? ' seconds' : '';
}

function unknownName(name: string, fields: readonly string[]): string {
  const nearest = nearestName(name, fields);
  return nearest === undefined ? quoteName(name) : `${quoteName(name)} (did you mean "${nearest}"?)`;
}

/** What a caller made up as a name is shown short and on one line. */
function quoteName(name: string): string {
  return JSON.stringify(name.slice(0, 40));
}

function article(type: string): string {
  if (type === 'int') return 'a whole number';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function choice(values: readonly string[]): string {
  return values.length === 1 ? `"${values[0]}", or left out` : `one of ${values.join(', ')}`;
}

function sizeOf(origin: string): string {
  return origin === 'string' ? 'hold' : 'be';
}

function counted(number: number | bigint, origin: string): string {
  if (origin !== 'string') return String(number);
  return `${number} ${number === 1 ? 'character' : 'characters'}`;
}
