/** Broken and ambiguous links, and notes that stand alone, as findings. Pure. */
import type { LinkSomewhere, VaultLinks } from '../../links/vault-links.ts';
import { type Finding, findingId } from '../finding.ts';
import type { Found } from './found.ts';

/** Files named that a link could mean. */
const NAMED = 5;

export function linkFindings({
  broken,
  ambiguous,
  counts,
}: Pick<VaultLinks, 'broken' | 'ambiguous' | 'counts'>): Found {
  const findings = [...numbered(broken, brokenLink), ...numbered(ambiguous, ambiguousLink)];
  return { findings, counts: { error: 0, warning: counts.broken + counts.ambiguous, info: 0 } };
}

export function orphanFindings({ orphans, counts }: Pick<VaultLinks, 'orphans' | 'counts'>): Found {
  const findings = orphans.map(
    (path): Finding => ({
      ...{ id: findingId('orphan_note', path), code: 'orphan_note', severity: 'info', path },
      message: 'No other file links to this note, and it links to none.',
      fix: 'Link to it from a note that people come by, if anybody should find it there.',
    }),
  );
  return { findings, counts: { error: 0, warning: 0, info: counts.orphans } };
}

/** The nth link of its kind in its file: what tells two of the same target apart, wherever they stand. */
function numbered(links: readonly LinkSomewhere[], make: (link: LinkSomewhere, nth: number) => Finding): Finding[] {
  const seen = new Map<string, number>();
  return links.map((link) => {
    const key = `${link.path}\0${link.form}\0${link.target}`;
    const nth = (seen.get(key) ?? 0) + 1;
    seen.set(key, nth);
    return make(link, nth);
  });
}

function brokenLink(link: LinkSomewhere, nth: number): Finding {
  return {
    ...placed('broken_link', link, nth),
    message: `${written(link)} leads nowhere.`,
    fix: 'Correct the target, or make the note that it means.',
  };
}

function ambiguousLink(link: LinkSomewhere, nth: number): Finding {
  const candidates = link.candidates ?? [];
  const more = candidates.length > NAMED ? ` and ${candidates.length - NAMED} more` : '';
  return {
    ...placed('ambiguous_link', link, nth),
    message: `${written(link)} could mean ${candidates.slice(0, NAMED).join(', ')}${more}; Obsidian opens the first.`,
    fix: `Write the path of the file that is meant, such as ${withPath(link, candidates[0] ?? '')}.`,
  };
}

function placed(code: string, { path, line, form, target }: LinkSomewhere, nth: number) {
  const id = findingId(code, path, form, target, nth);
  return { id, code, severity: 'warning', path, ...(line === null ? {} : { line }) } as const;
}

function written({ form, target }: LinkSomewhere): string {
  return form === 'wikilink' ? `[[${target}]]` : `The link to ${target}`;
}

function withPath({ form }: LinkSomewhere, path: string): string {
  return form === 'wikilink' ? `[[${path.replace(/\.md$/i, '')}]]` : path;
}
