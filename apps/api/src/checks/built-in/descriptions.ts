/** The checks that come with the program, in their order. */
import type { CheckDescription } from '../finding.ts';

const described = (name: string, title: string, description: string) => ({ name, title, description });

const IN_ORDER = [
  described('links', 'Links', 'Links that lead nowhere, and links that could mean several files.'),
  described(
    'frontmatter',
    'Frontmatter',
    'Frontmatter that cannot be used: nobody finds the note by it, or can set a key.',
  ),
  described('expires', 'Expiry dates', 'What the key expires says and cannot be read, so that nobody is reminded.'),
  described('headings', 'Headings', 'Headings of one note with the same path: none of them can be named by it.'),
  described('documents', 'Documents', 'Documents whose text nobody has, and documents that no note links to.'),
  described(
    'unreadable',
    'Unreadable files',
    'Notes and folders that could not be read, so that the other checks lack them.',
  ),
  described('names', 'Names', 'Names that other systems cannot hold, and names that differ by case or spelling alone.'),
  described(
    'conflict_copies',
    'Conflict copies',
    'Files that a synchronising program made of two versions (index.ignore).',
  ),
  described('orphans', 'Orphan notes', 'Notes that no other file links to, and that link to none.'),
  described('near_duplicates', 'Near duplicates', 'Notes that say nearly the same, by the vectors of the index.'),
  described(
    'superseded',
    'Superseded notes',
    'Notes that say which one stands for them now, where that leads to none.',
  ),
  described('script_contract', 'Scripts', 'Whether the scripts of the vault keep to the contract of a check.'),
] as const;

/** In tens, so that a script finds a place between two of them. */
export const BUILT_IN_CHECKS: readonly CheckDescription[] = IN_ORDER.map((each, at) => ({
  ...each,
  order: (at + 1) * 10,
}));

export type BuiltInName =
  | 'links'
  | 'frontmatter'
  | 'expires'
  | 'headings'
  | 'documents'
  | 'unreadable'
  | 'names'
  | 'conflict_copies'
  | 'orphans'
  | 'near_duplicates'
  | 'superseded'
  | 'script_contract';
