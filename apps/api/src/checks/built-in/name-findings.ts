/** Names that break on other systems, as findings. Pure. */
import { nameOf, pathKey } from '@vault-mcp/shared/vault/path';
import { portabilityProblem } from '@vault-mcp/shared/vault/write-rules';
import { type Finding, findingId } from '../finding.ts';
import { type Found, found, foundOf } from './found.ts';

/** What Windows refuses in a name, and sync programs with it. `/` cannot stand there, `\` makes a name none of ours. */
const WINDOWS_CHARACTERS = /[<>:"|?*]/;
/** Devices of old: names that Windows keeps for itself, whatever the suffix. */
const WINDOWS_NAMES = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i;

/** Why a name breaks somewhere; null when it does not. */
export function nameProblem(name: string): string | null {
  const here = portabilityProblem(name);
  if (here !== null) return here;
  const [character] = WINDOWS_CHARACTERS.exec(name) ?? [];
  if (character !== undefined) return `holds ${character}, which Windows and many a phone refuse`;
  if (WINDOWS_NAMES.test(name)) return 'is a device on Windows, which refuses it';
  return null;
}

/** @param files every file there is, whoever's business it is */
export function nameFindings(files: Iterable<string>): Found {
  const spelt = new Map<string, Set<string>>();
  for (const file of files) {
    for (
      let path = file;
      path !== '' && !isKnown(spelt, path);
      path = path.slice(0, Math.max(0, path.lastIndexOf('/')))
    ) {
      const key = pathKey(path);
      const same = spelt.get(key);
      if (same === undefined) spelt.set(key, new Set([path]));
      else same.add(path);
    }
  }
  const entries = [...spelt.values()].flatMap((paths) => [...paths]).sort();
  const twice = [...spelt.values()].filter((paths) => paths.size > 1).map((paths) => [...paths].sort());
  // What stands in two folders of one name need not be told apart from it.
  const apart = twice.filter(
    (paths) => new Set(paths.map((path) => path.slice(0, path.lastIndexOf('/') + 1))).size === 1,
  );
  return found([...entries.flatMap(unportable), ...apart.map(collision)]);
}

function isKnown(spelt: ReadonlyMap<string, ReadonlySet<string>>, path: string): boolean {
  return spelt.get(pathKey(path))?.has(path) === true;
}

function unportable(path: string): Finding[] {
  const problem = nameProblem(nameOf(path));
  if (problem === null) return [];
  return [
    {
      ...{ id: findingId('unportable_name', path), code: 'unportable_name', severity: 'warning', path },
      message: `The name ${problem}.`,
      fix: 'Move it to another name; links to it follow.',
    },
  ];
}

function collision(paths: readonly string[]): Finding {
  const [path = ''] = paths;
  return {
    ...{ id: findingId('colliding_names', pathKey(path)), code: 'colliding_names', severity: 'warning', path },
    message: `Where case and accents do not count, these are one: ${paths.join(', ')}.`,
    fix: 'Move all but one of them to another name.',
  };
}

/** @param copies files whose names `index.ignore` matches */
export function conflictFindings(copies: readonly string[]): Found {
  return foundOf(copies, 'warning', (path) => ({
    ...{ id: findingId('conflict_copy', path), code: 'conflict_copy', severity: 'warning', path },
    message: 'A synchronising program kept this beside the file it is a version of; neither search nor links know it.',
    fix: 'Take over what is missing in the file itself, then delete this one.',
  }));
}
