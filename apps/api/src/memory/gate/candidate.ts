/**
 * What somebody sends to be remembered, made a candidate or refused. Pure: what needs the disk is asked elsewhere. Danger: what
 * is let in here is written into a note's frontmatter and into a path, by a machine, from texts of anybody's.
 */
import { createHash } from 'node:crypto';
import { AppError } from '@vault-mcp/shared/errors';
import {
  type FrontmatterValue,
  requireFrontmatterKey,
  requireFrontmatterValue,
} from '@vault-mcp/shared/vault/note/edit/frontmatter-value';
import { trimmedContent } from '@vault-mcp/shared/vault/note/edit/inserted-text';
import { parseFrontmatter } from '@vault-mcp/shared/vault/note/frontmatter';
import { SUPERSEDED_BY_KEY } from '@vault-mcp/shared/vault/note/superseded-by';
import { hasControlCharacter, isDotted, parseVaultPath, shown, type VaultPath } from '@vault-mcp/shared/vault/path';
import { requirePortableNames } from '@vault-mcp/shared/vault/write-rules';
import { AGENT_KEY, SOURCE_KEY } from '../provenance.ts';
import type { Candidate } from '../types.ts';
import { SUPERSEDES_KEY } from './marks.ts';

export interface CandidateInput {
  readonly title: string;
  readonly type: string;
  readonly namespace: string;
  readonly body: string;
  readonly frontmatter?: Readonly<Record<string, unknown>> | undefined;
}

/** Characters of a title. */
export const MAX_TITLE = 200;
const MAX_BODY_BYTES = 64 * 1024;
/** Many times what a note of one subject says of itself; each key is verified by reading the block anew. */
const MAX_KEYS = 64;
const MAX_FRONTMATTER_CHARACTERS = 16 * 1024;
export const TYPE = /^[\p{L}\p{N}][\p{L}\p{N} _-]{0,63}$/u;
/** What the gate says itself. */
export const OWN_KEYS: readonly string[] = [
  'type',
  'title',
  SUPERSEDES_KEY,
  SUPERSEDED_BY_KEY,
  AGENT_KEY,
  SOURCE_KEY,
  'generated_by',
];

/** How long its body may be: what stood in the vault already may be as long as it was. */
export type BodyLimit = 'of-a-proposal' | 'of-a-note';

/**
 * @param timestampKey `notes.timestamp_key`, which the gate sets
 * @throws AppError `invalid_value`, `invalid_path`, `note_too_large`
 */
export function parseCandidate(
  input: CandidateInput,
  { timestampKey }: { readonly timestampKey: string },
  limit: BodyLimit = 'of-a-proposal',
): Candidate {
  return {
    title: parseTitle(input.title),
    type: parseType(input.type),
    namespace: parseNamespace(input.namespace),
    body: parseBody(input.body, limit),
    frontmatter: parseKeys(input.frontmatter ?? {}, timestampKey),
  };
}

/** The same for the same candidate, in whatever order its keys came. */
export function candidateHash(candidate: Candidate): string {
  return createHash('sha256').update(canonicalJson(candidate)).digest('hex');
}

function parseTitle(title: string): string {
  const trimmed = title.trim();
  if (trimmed === '') throw invalid('The title is empty: name what is to be remembered, on one line.');
  if (trimmed.length > MAX_TITLE || hasControlCharacter(trimmed) || !trimmed.isWellFormed()) {
    throw invalid(`The title is one line of at most ${MAX_TITLE} characters, without control characters.`);
  }
  return trimmed;
}

function parseType(type: string): string {
  if (TYPE.test(type)) return type;
  throw invalid(
    'The type is a word or a few, such as fact, decision or preference: letters, digits, spaces, "_", "-".',
  );
}

function parseNamespace(raw: string): VaultPath {
  const namespace = parseVaultPath(raw);
  if (isDotted(namespace)) {
    throw new AppError(
      'invalid_path',
      `"${shown(namespace)}" is protected: names that start with a dot are not written.`,
    );
  }
  if (namespace !== '') requirePortableNames(namespace);
  return namespace;
}

function parseBody(raw: string, limit: BodyLimit): string {
  // A note is held to its own limit where it is written.
  if (limit === 'of-a-proposal' && Buffer.byteLength(raw, 'utf8') > MAX_BODY_BYTES) {
    throw new AppError(
      'note_too_large',
      `What is to be remembered has at most ${MAX_BODY_BYTES / 1024} KiB: propose its subjects one by one.`,
    );
  }
  const body = trimmedContent(raw, '\n');
  if (body === '') throw invalid('The body is empty: say what is to be remembered, in markdown.');
  if (parseFrontmatter(body).present) {
    throw invalid(
      'The body begins with a frontmatter block: send its keys as "frontmatter", and the text below it alone.',
    );
  }
  return body;
}

function parseKeys(given: Readonly<Record<string, unknown>>, timestampKey: string): Candidate['frontmatter'] {
  const keys = Object.keys(given);
  if (keys.length > MAX_KEYS) throw invalid(`A candidate has at most ${MAX_KEYS} further frontmatter keys.`);
  const own = new Set([...OWN_KEYS, ...(timestampKey === '' ? [] : [timestampKey])].map(folded));
  const parsed: Record<string, FrontmatterValue> = Object.create(null);
  for (const key of keys) {
    if (own.has(folded(key))) throw invalid(`The key "${key}" is set by the gate itself: leave it out.`);
    requireFrontmatterKey(key);
    parsed[key] = requireFrontmatterValue(given[key]);
  }
  if (JSON.stringify(parsed).length > MAX_FRONTMATTER_CHARACTERS) {
    throw invalid('The frontmatter of a candidate is short: put long text into the body.');
  }
  return parsed;
}

/** Readers of notes, Obsidian among them, take a key in another case for the same one. */
function folded(key: string): string {
  return key.normalize('NFKC').trim().toLowerCase();
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

function invalid(message: string): AppError {
  return new AppError('invalid_value', message);
}
