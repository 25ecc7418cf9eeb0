/**
 * What can be done about links that lead nowhere or could mean several files: each with the texts to paste in its place.
 * Danger: they may be thousands, so others have turns in between, and which file is meant stays a guess that nothing is
 * written by.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { VaultNames } from '@vault-mcp/shared/vault/note/vault-names';
import type { OperationContext } from '../context.ts';
import { ambiguousFix, brokenFix, type FixView, type LinkFix, unseenFix } from '../links/link-fix.ts';
import type { LinkSource } from '../links/link-source.ts';
import { NearNames } from '../links/near-names.ts';
import type { LinkSomewhere } from '../links/vault-links.ts';
import { linkTexts } from './link-texts.ts';
import { noteAliases } from './note-aliases.ts';

/** A link with what to do about it. */
export interface FixedLink extends LinkSomewhere {
  readonly fix: LinkFix;
}

export interface FixedLinks {
  readonly broken: readonly FixedLink[];
  readonly ambiguous: readonly FixedLink[];
}

/** How long links are worked at before others have a turn: one with ten thousand candidates takes ten milliseconds. */
const TURN_MS = 10;

type FixContext = Pick<OperationContext, 'vault' | 'reader' | 'config' | 'log'>;

interface Links {
  readonly broken: readonly LinkSomewhere[];
  readonly ambiguous: readonly LinkSomewhere[];
}

const turns = new WeakMap<FixContext['reader'], Promise<unknown>>();

/**
 * One after the other: what is remembered of notes is told once that they changed.
 * @param names those by which the links were resolved
 */
export async function proposeFixes(context: FixContext, names: VaultNames, links: Links): Promise<FixedLinks> {
  if (links.broken.length + links.ambiguous.length === 0) return { broken: [], ambiguous: [] };
  const before = turns.get(context.reader) ?? Promise.resolve();
  const turn = before.then(() => propose(context, names, links));
  turns.set(
    context.reader,
    turn.catch(() => undefined),
  );
  return turn;
}

async function propose(context: FixContext, names: VaultNames, { broken, ambiguous }: Links): Promise<FixedLinks> {
  const sources = await linkTexts(context, [...broken, ...ambiguous]);
  const view = await viewOf(context, names, broken.length > 0);
  const fixed = async (links: readonly LinkSomewhere[], fix: (source: LinkSource, link: LinkSomewhere) => LinkFix) => {
    const all: FixedLink[] = [];
    let since = performance.now();
    for (const link of links) {
      const source = sources.get(link);
      all.push({ ...link, fix: source === undefined ? unseenFix(link) : fix(source, link) });
      if (performance.now() - since < TURN_MS) continue;
      await nextTurn();
      since = performance.now();
    }
    return all;
  };
  return {
    broken: await fixed(broken, (source, { path }) => brokenFix(source, path, view)),
    ambiguous: await fixed(ambiguous, (source, { path, to }) => ambiguousFix(source, path, names, to)),
  };
}

const nearNames = new WeakMap<VaultNames, NearNames>();

async function viewOf(context: FixContext, names: VaultNames, isAnyBroken: boolean): Promise<FixView> {
  const near = nearNames.get(names) ?? (await NearNames.gather(isAnyBroken ? names.paths() : []));
  if (isAnyBroken) nearNames.set(names, near);
  return { names, near, aliases: isAnyBroken ? await noteAliases(context) : new Map() };
}
