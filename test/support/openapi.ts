/**
 * openapi.yaml as tests read it: parsed, references resolved, flattened to operations, and a check of one answer
 * against what is written there.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { parse } from 'yaml';

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
}

interface Described {
  readonly headers?: Record<string, { required?: boolean; schema: object }>;
  readonly content?: Content;
}

interface MediaType {
  readonly schema: { readonly properties?: Record<string, unknown> };
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

/** Bodies by their content type. */
export type Content = Readonly<Record<string, MediaType>>;

export interface Operation {
  readonly id: string;
  readonly path: string;
  readonly method: string;
  /** Whether it needs the key. */
  readonly secured: boolean;
  readonly parameters: readonly Parameter[];
  /** What may be sent; empty where nothing is. */
  readonly request: Content;
  readonly responses: Readonly<Record<string, Described>>;
}

const FILE = join(import.meta.dirname, '../../openapi.yaml');
const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
type Method = (typeof METHODS)[number];

export async function validateDocument(): Promise<{ valid: boolean; errors?: unknown }> {
  return new Validator().validate(parse(readFileSync(FILE, 'utf8')));
}

/** The parts of an OpenAPI document, references resolved, that tests look at. */
interface Document {
  readonly paths: Record<string, PathItem>;
}

type PathItem = { readonly parameters?: readonly Parameter[] } & Partial<Record<Method, DescribedOperation>>;

interface DescribedOperation {
  readonly operationId: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Described>>;
}

/** Every path and method in the file. */
export async function readOperations(): Promise<Operation[]> {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(parse(readFileSync(FILE, 'utf8')));
  if (!valid) throw new Error(`openapi.yaml is not OpenAPI: ${JSON.stringify(errors)}`);
  // The validation above has proven the shape that the type states.
  const { paths } = validator.resolveRefs() as unknown as Document;
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const described = item[method];
      return described ? [operationOf(path, method, item, described)] : [];
    }),
  );
}

function operationOf(path: string, method: Method, item: PathItem, described: DescribedOperation): Operation {
  return {
    id: described.operationId,
    path,
    method: method.toUpperCase(),
    secured: described.security === undefined,
    parameters: [...(item.parameters ?? []), ...(described.parameters ?? [])],
    request: described.requestBody?.content ?? {},
    responses: described.responses,
  };
}

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
const compiled = new Map<object, ValidateFunction>();

/** Every example of some content, with what of it is not as its own schema says. */
export function examplesOf(content: Content): { name: string; type: string; value: unknown; problems: string[] }[] {
  return Object.entries(content).flatMap(([type, { schema, example, examples = {} }]) => {
    const single = example === undefined ? [] : [['example', { value: example }] as const];
    return [...single, ...Object.entries(examples)].map(([name, { value }]) => {
      return { name, type, value, problems: problemsOf(schema, value) };
    });
  });
}

function problemsOf(schema: object, value: unknown): string[] {
  const validate = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, validate);
  return validate(value)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

function headerProblems(described: Described, answer: Response): string[] {
  return Object.entries(described.headers ?? {}).flatMap(([name, { required, schema }]) => {
    const value = answer.headers.get(name);
    if (value === null) return required ? [`header ${name} is missing`] : [];
    return problemsOf(schema, value).map((problem) => `header ${name}: ${problem}`);
  });
}

/** What of an answer is not as the operation describes it; empty when all is. */
export async function contractProblems(operation: Operation, answer: Response): Promise<string[]> {
  const described = operation.responses[String(answer.status)];
  if (!described) return [`status ${answer.status} is not described: ${await answer.text()}`];
  const problems = headerProblems(described, answer);
  const type = answer.headers.get('content-type')?.split(';')[0] ?? '';
  const body = await answer.text();
  if (!described.content) return body === '' ? problems : [...problems, 'a body is not described'];
  const content = described.content[type] ?? described.content['*/*'];
  if (!content) return [...problems, `content type ${type || 'none'} is not described`];
  const value = type === 'application/json' ? JSON.parse(body) : body;
  return [...problems, ...problemsOf(content.schema, value)];
}
