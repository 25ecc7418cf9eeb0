/**
 * What the questions about all notes need of each, small enough to be remembered of every one. Pure, never throws.
 * Danger: it is kept for as long as the file's stat is the same, so nothing here may depend on anything but the text.
 */
import { readFrontmatter } from '@vault-mcp/shared/vault/note/frontmatter';
import { parseNote } from '@vault-mcp/shared/vault/note/parse';
import { indexLines } from '@vault-mcp/shared/vault/note/text';
import { nameOf } from '@vault-mcp/shared/vault/path';
import { type Expiry, readExpiry } from './expiry.ts';

export interface NoteFacts {
  /** The frontmatter; empty when absent or unusable. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Why it could not be used. */
  readonly error?: string;
  readonly expiry: Expiry | null;
  /** Only of a note that says when it expires. */
  readonly title?: string;
  /** Characters it takes to write down, roughly. */
  readonly weight: number;
}

/** What every entry weighs besides its data. */
const OWN_WEIGHT = 300;
const NO_FACTS: NoteFacts = { data: {}, expiry: null, weight: OWN_WEIGHT };

export function noteFacts(text: string, path: string): NoteFacts {
  const { frontmatter } = readFrontmatter(text, indexLines(text));
  const { data, error } = frontmatter;
  if (error !== undefined) return structuredClone({ ...NO_FACTS, error });
  if (!frontmatter.present) return NO_FACTS;
  const expiry = readExpiry(data);
  const title = expiry === null ? undefined : (parseNote(text).title ?? nameOf(path).replace(/\.md$/i, ''));
  const weight = OWN_WEIGHT + JSON.stringify(data).length * (expiry === null ? 1 : 2);
  const facts: NoteFacts = { data, expiry, weight, ...(title !== undefined && { title }) };
  // A text cut out of a note keeps the whole note in memory for as long as it lives; a copy is only as long as it is.
  return structuredClone(facts);
}
