/**
 * The folder tree of ARCHITECTURE.md as data, so that the page cannot fall behind the import table. Danger: it is read
 * by indentation, so the tree has to keep to two spaces a level and to two or more before each explanation.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PAGE = fileURLToPath(new URL('../../ARCHITECTURE.md', import.meta.url));

export function readArchitecturePage(): string {
  return readFileSync(PAGE, 'utf8');
}

/**
 * Every file and folder that the tree names, from the repository's root, folders without their closing slash.
 * @throws Error when the page has no tree
 */
export function namesInTree(page: string): Set<string> {
  const tree = /^## Folders$[\s\S]*?^```\n([\s\S]*?)^```$/m.exec(page)?.[1];
  if (tree === undefined) throw new Error('ARCHITECTURE.md has no tree under "## Folders".');
  const named = new Set<string>();
  /** The folder that the lines at each depth stand in. */
  const folders = [''];
  for (const line of tree.split('\n')) {
    const [, indent = '', names = ''] = /^( *)(\S+(?: \S+)*)/.exec(line) ?? [];
    const depth = indent.length / 2;
    const folder = folders[depth];
    // Deeper than the folder above goes only an explanation that runs on.
    if (folder === undefined || names === '') continue;
    folders.length = depth + 1;
    for (const name of names.split(' ')) {
      const path = folder + name.replace(/\/$/, '');
      named.add(path);
      if (name.endsWith('/')) folders[depth + 1] = `${path}/`;
    }
  }
  return named;
}
