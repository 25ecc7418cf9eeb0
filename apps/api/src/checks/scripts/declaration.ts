/**
 * The contract of a script that checks: what it prints of itself (`--describe`) and what it found (`--json`). Pure.
 * Danger: both are a stranger's text, so each field is held to its shape and size here, and what does not fit is said in
 * words that whoever wrote the script can act on.
 */
import { z } from 'zod';
import type { Finding } from '../finding.ts';

const MAX_FINDINGS = 10_000;

const line = (what: string, max: number) =>
  z
    .string(`${what} must be a text`)
    .trim()
    .min(1, `${what} is empty`)
    .max(max, `${what} is longer than ${max} characters`)
    .refine((text) => !/\p{Cc}/u.test(text), `${what} holds a line break or another control character`);

const text = (what: string, max: number) =>
  z.string(`${what} must be a text`).max(max, `${what} is longer than ${max} characters`);

const fields = {
  schema: z.literal(2, 'schema must be 2'),
  check: z
    .string('check must be a text')
    .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'check must be a name of at most 64 lower-case letters, digits, "-" and "_"'),
  title: line('title', 200),
  description: text('description', 2_000),
  order: z.number('order must be a number'),
};

const finding = z.object({
  id: line('id', 200),
  code: z.string('code must be a text').regex(/^[a-z][a-z0-9_]{0,63}$/, 'code must be in snake_case'),
  severity: z.enum(['error', 'warning', 'info'], 'severity must be error, warning or info'),
  path: line('path', 4_096)
    .refine((path) => !path.startsWith('/') && !path.split('/').includes('..'), 'path must be a path in the vault')
    .nullish(),
  line: z.int('line must be a whole number').min(1, 'lines count from 1').nullish(),
  message: line('message', 2_000),
  fix: text('fix', 2_000).nullish(),
});

const declarationSchema = z.object(fields);
const reportSchema = z.object({
  ...fields,
  findings: z
    .array(finding, 'findings must be a list')
    .max(MAX_FINDINGS, `there are more than ${MAX_FINDINGS} findings`),
});

export interface Declaration {
  readonly check: string;
  readonly title: string;
  readonly description: string;
  readonly order: number;
}

/** Something as it should be, or why it is not, as a clause. */
export type Read<T> = { readonly value: T } | { readonly problem: string };

/** What came is no declaration at all: a program that knows nothing of the matter. */
export const NOT_DECLARED = 'it does not describe itself';

/** @param printed standard output of `--describe` */
export function readDeclaration(printed: string): Read<Declaration> {
  const parsed = parseJson(printed);
  if (parsed === undefined || !isObject(parsed) || !('schema' in parsed)) return { problem: NOT_DECLARED };
  const { success, data, error } = declarationSchema.safeParse(parsed);
  if (!success) return { problem: `its description does not fit: ${problemOf(error)}` };
  const { check, title, description, order } = data;
  return { value: { check, title, description, order } };
}

/** @param printed standard output of `--json` */
export function readReport(printed: string, check: string): Read<readonly Finding[]> {
  if (printed.trim() === '') return { problem: 'it printed nothing' };
  const parsed = parseJson(printed);
  if (parsed === undefined) return { problem: 'what it printed is no JSON' };
  const { success, data, error } = reportSchema.safeParse(parsed);
  if (!success) return { problem: `its report does not fit: ${problemOf(error)}` };
  if (data.check !== check) return { problem: `it describes itself as "${check}" and reports as "${data.check}"` };
  const ids = new Set<string>();
  for (const { id } of data.findings) {
    if (ids.has(id)) return { problem: `two findings have the id "${id}"` };
    ids.add(id);
  }
  return { value: data.findings.map(withoutNulls) };
}

function withoutNulls({ path, line: at, fix, ...rest }: z.infer<typeof finding>): Finding {
  return { ...rest, ...(path != null && { path }), ...(at != null && { line: at }), ...(fix && { fix }) };
}

export function parseJson(printed: string): unknown {
  try {
    return JSON.parse(printed.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The first thing that is wrong, with its place. */
export function problemOf({ issues: [first] }: z.ZodError): string {
  if (first === undefined) return 'it is of another shape';
  const place = first.path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  const within = first.path.length > 1 || typeof first.path[0] === 'number' ? ` (at ${place.replace(/^\./, '')})` : '';
  return `${first.message}${within}`;
}
