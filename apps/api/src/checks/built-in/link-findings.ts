/** Broken and ambiguous links, and notes that stand alone, as findings. Pure. */
import type { LinkFix } from '../../links/link-fix.ts';
import type { LinkSomewhere, VaultLinks } from '../../links/vault-links.ts';
import { type Finding, findingId } from '../finding.ts';
import type { Found } from './found.ts';

type Fixed = LinkSomewhere & { readonly fix: LinkFix };

/** For links beyond the first of a kind: those are looked for in their files, and near names among all there are. */
export const FIX_LATER = 'Correct the target; as those before it are put right, it is told what to write.';

export function linkFindings({
  broken,
  ambiguous,
  counts,
}: Pick<VaultLinks, 'counts'> & { readonly broken: readonly Fixed[]; readonly ambiguous: readonly Fixed[] }): Found {
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
function numbered(links: readonly Fixed[], make: (link: Fixed, nth: number) => Finding): Finding[] {
  const seen = new Map<string, number>();
  return links.map((link) => {
    const key = `${link.path}\0${link.form}\0${link.target}`;
    const nth = (seen.get(key) ?? 0) + 1;
    seen.set(key, nth);
    return make(link, nth);
  });
}

function brokenLink(link: Fixed, nth: number): Finding {
  const { fix } = link;
  return { ...placed('broken_link', link, nth), message: `${fix.written} leads nowhere.`, fix: whatToDo(fix) };
}

function ambiguousLink(link: Fixed, nth: number): Finding {
  const { fix } = link;
  const { files, total } = fix.meant ?? { files: [], total: 0 };
  const more = total > files.length ? ` and ${total - files.length} more` : '';
  const message = `${fix.written} could mean ${files.join(', ')}${more}; Obsidian opens the first.`;
  return { ...placed('ambiguous_link', link, nth), message, fix: whatToDo(fix) };
}

function placed(code: string, { path, line, form, target }: LinkSomewhere, nth: number) {
  const id = findingId(code, path, form, target, nth);
  return { id, code, severity: 'warning', path, ...(line === null ? {} : { line }) } as const;
}

function whatToDo({ paste, advice }: LinkFix): string {
  const write = paste.length === 0 ? [] : [`Write ${paste.join(' or ')}.`];
  return [...write, ...(advice === '' ? [] : [advice])].join(' ');
}
