/**
 * What the questions about all notes need of each, small enough to be remembered of every one. Pure, never throws.
 * Danger: it is kept for as long as the file's stat is the same, so nothing here may depend on anything but the text.
 */
import { textValue } from '@vault-mcp/shared/vault/note/describe';
import { exactFrontmatter, yamlLength } from '@vault-mcp/shared/vault/note/frontmatter';
import type { Frontmatter } from '@vault-mcp/shared/vault/note/model';
import { parseNote } from '@vault-mcp/shared/vault/note/parse';
import { nameOf } from '@vault-mcp/shared/vault/path';
import { type Expiry, readExpiry } from './expiry.ts';

export interface NoteFacts {
  /** The frontmatter, whole numbers that a double cannot hold as bigints; empty when absent or unusable. */
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

/** As it is remembered; JSON has no bigints. */
function written(data: NoteFacts['data']): string {
  return JSON.stringify(data, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

export function noteFacts(text: string, path: string): NoteFacts {
  return factsOf(exactFrontmatter(text), () => {
    return parseNote(text).title ?? nameOf(path).replace(/\.md$/i, '');
  });
}

/** The same of a note whose beginning is known; null where it takes all of it, as a heading that is its title does. */
export function factsFromHead(head: string): NoteFacts | null {
  const frontmatter = exactFrontmatter(head);
  if (!frontmatter.present && yamlLength(head) === 0) return head.includes('\n') ? NO_FACTS : null;
  // What ends with the last line is not known to end there: that line may be cut.
  if (!frontmatter.present || frontmatter.range.to === head.length) return null;
  const title = textValue(frontmatter.data.title);
  if (title === undefined && readExpiry(frontmatter.data) !== null) return null;
  return factsOf(frontmatter, () => title);
}

function factsOf({ present, data, error }: Frontmatter, titleOf: () => string | undefined): NoteFacts {
  if (error !== undefined) return structuredClone({ ...NO_FACTS, error });
  if (!present) return NO_FACTS;
  const expiry = readExpiry(data);
  const title = expiry === null ? undefined : titleOf();
  const weight = OWN_WEIGHT + written(data).length * (expiry === null ? 1 : 2);
  const facts: NoteFacts = { data, expiry, weight, ...(title !== undefined && { title }) };
  // A text cut out of a note keeps the whole note in memory for as long as it lives; a copy is only as long as it is.
  return structuredClone(facts);
}
