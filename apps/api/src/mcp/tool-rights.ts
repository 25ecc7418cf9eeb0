/**
 * Which tools a caller may call at all. What a call may touch is decided where it touches it; here only what could never
 * succeed is left out of the list, so that no agent tries it. Danger: a tool that is not listed can be called all the same,
 * so a call asks here too.
 */
import type { Access, WriteRight } from '@vault-mcp/shared/vault/access';
import { pathKey } from '@vault-mcp/shared/vault/path';
import type { CallDeps } from './counted-call.ts';

/** `operator`: listed to nobody else. */
export type ToolAudience = 'agents' | 'operator';

/** The most it does to what is there: nothing, make and add, or change. */
export type ToolAct = 'read' | 'add' | 'change';

/** Where it writes: anywhere, on the wiki's pages, in its raw folder, or everywhere but there; `folder`: a whole one. */
export type ToolPlace = 'wiki' | 'raw-material' | 'outside-wiki' | 'folder';

export interface ToolClass {
  readonly audience: ToolAudience;
  readonly act: ToolAct;
  /** Undefined for anywhere. */
  readonly place?: ToolPlace | undefined;
  /** What it writes is no part of the vault, so rights for parts of that say nothing of it. */
  readonly besideVault?: true | undefined;
}

/** @returns why nothing that this caller asks of the tool could succeed; null where something may */
export function beyondRights(
  { audience, act, place, besideVault }: ToolClass,
  { context, isOperator }: Pick<CallDeps, 'context' | 'isOperator'>,
): string | null {
  if (audience === 'operator' && !isOperator) return 'This tool is for the operator alone. Report that it is needed.';
  const { access } = context.vault;
  if (besideVault && !access.mayChangeAll(''))
    return 'This tool is only for who may write the whole vault. Report that.';
  if (isWithin(act, place === undefined ? access.writes : mostAt(place, access, context.config))) return null;
  return 'You have no right to do this, wherever you would do it. Report that; do not look for another way.';
}

function mostAt(place: ToolPlace, access: Access, { wiki, vault }: CallDeps['context']['config']): WriteRight {
  if (place === 'folder') {
    const suffixes = ['.md', ...vault.doc_suffixes];
    return access.mostWritten((prefix) => !suffixes.some((suffix) => prefix.endsWith(suffix)));
  }
  const raw = `${wiki.dir}/raw`;
  if (place === 'outside-wiki') return access.mostWritten((prefix) => !isAtOrBelow(prefix, wiki.dir));
  const dir = place === 'raw-material' ? raw : wiki.dir;
  const holdsNone = (prefix: string) => place === 'wiki' && isAtOrBelow(prefix, raw);
  const here = access.rightAt(dir);
  const below = access.mostWritten((prefix) => isAtOrBelow(prefix, dir) && !holdsNone(prefix));
  return here === true || below === false ? here : below;
}

/** @param prefix a key (pathKey) */
function isAtOrBelow(prefix: string, folder: string): boolean {
  return `${prefix}/`.startsWith(`${pathKey(folder)}/`);
}

function isWithin(act: ToolAct, writes: WriteRight): boolean {
  if (act === 'read' || writes === true) return true;
  return act === 'add' && writes === 'append';
}
