/**
 * The root's `index.md`: where it stands, and how one that was generated is told from a person's own. Danger: a generated
 * page is replaced without asking, so what cannot be shown to carry the mark counts as a person's.
 */
import { isIndexPagePath } from './index-page-path.ts';
import { parseFrontmatter } from './note/frontmatter.ts';
import { decodeNote } from './note/text.ts';
import type { VaultPath } from './path.ts';
import { openFileStream } from './read.ts';
import type { Vault } from './vault.ts';

export { INDEX_PAGE, isIndexPagePath } from './index-page-path.ts';

/** The mark, in the page's frontmatter. */
export const GENERATED_KEY = 'generated_by';
export const GENERATOR = 'vault-mcp';

/** A block that holds the mark ends within this many bytes; ours has some 70. */
const HEAD_BYTES = 64 * 1024;

/** Whether a text carries the mark. */
export function isGeneratedText(text: string): boolean {
  return isMarked(parseFrontmatter(text).data);
}

/** Whether a note is the generated page: nobody's note, and no matter of questions about notes. */
export function isGeneratedPage(path: string, frontmatter: Readonly<Record<string, unknown>>): boolean {
  return isMarked(frontmatter) && isIndexPagePath(path);
}

function isMarked(frontmatter: Readonly<Record<string, unknown>>): boolean {
  return frontmatter[GENERATED_KEY] === GENERATOR;
}

/**
 * The same of a file, of which only the beginning is read, however large it is.
 *
 * @throws AppError what locate throws; `is_directory`; `unreadable`
 */
export async function isGeneratedFile(vault: Vault, path: VaultPath): Promise<boolean> {
  const { stream } = await openFileStream(vault, path, { start: 0, end: HEAD_BYTES - 1 });
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part as Uint8Array);
  return isGeneratedText(decodeNote(Buffer.concat(parts)).text);
}

/** What of a marked page's bytes stands below its frontmatter; null of one without the mark. No more than its head is decoded. */
export function generatedBody(bytes: Buffer): Buffer | null {
  const { text } = decodeNote(bytes.subarray(0, HEAD_BYTES));
  const { data, range } = parseFrontmatter(text);
  return data[GENERATED_KEY] === GENERATOR ? bytes.subarray(Buffer.byteLength(text.slice(0, range.to))) : null;
}
