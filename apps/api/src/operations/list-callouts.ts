/**
 * The callouts of all notes, or what the vault's own script makes of them. Danger: people put what is still to be done
 * into them, so a note that could not be asked is named, and so is a script that did not answer, or not with all that it
 * has. Asks the files, as questions about frontmatter do.
 */
import type { Severity } from '@vault-mcp/shared/vault/note/callouts';
import { pathKey } from '@vault-mcp/shared/vault/path';
import type { Vault } from '@vault-mcp/shared/vault/vault';
import { z } from 'zod';
import type { NoteCallout } from '../checks/content-survey.ts';
import { type GivenCallouts, MAX_CALLOUTS, type ScriptCallout } from '../checks/scripts/script-callouts.ts';
import { CALLOUTS_SCRIPT } from '../checks/scripts/script-session.ts';
import type { OperationContext } from '../context.ts';
import { dirInput, locateFolder, surveyFolder } from './survey-folder.ts';
import { type ScriptContext, scriptSettings, vaultScripts } from './vault-scripts.ts';

export const listCalloutsInput = z.strictObject({
  dir: dirInput,
  type: z.string().min(1).max(200).optional().describe('Only callouts of this type, whatever the case.'),
});

export interface CalloutList {
  /** `script`: the vault's own script gave them. */
  readonly source: 'built-in' | 'script';
  /** In the order of the notes' paths, then as they stand there; a script's as it gave them. */
  readonly callouts: readonly (NoteCallout | ScriptCallout)[];
  readonly counts: {
    readonly total: number;
    readonly by_severity: Readonly<Record<Severity, number>>;
    /** The most frequent first. */
    readonly by_type: Readonly<Record<string, number>>;
  };
  /** Notes and folders that could not be asked, and why. */
  readonly left_out: readonly { readonly path: string; readonly reason: string }[];
  /** The vault's own script, where there is one that did not answer, or gave more than is kept. */
  readonly script: { readonly file: string; readonly reason: string } | null;
}

/**
 * The same object as long as nothing changes, but for a script's. Whoever may read a part of the vault gets what is built
 * in: what a script prints cannot be told by the note that it is about.
 *
 * @param signal of a caller that may leave: no script runs for nobody
 * @throws AppError not_found, not_a_directory, invalid_path, unreadable: of the folder; not_ready: the notes take long
 */
export async function listCallouts(
  context: ScriptContext,
  { dir, type }: z.infer<typeof listCalloutsInput>,
  signal?: AbortSignal,
): Promise<CalloutList> {
  const folder = await locateFolder(context, dir);
  const wanted = type?.trim().toLowerCase();
  if (context.vault.access.readRules !== null) {
    const { answer, leftOut } = await foundCallouts(context, folder);
    return builtIn(answer, wanted, leftOut, null);
  }
  const { state, read } = await vaultScripts(context).callouts(scriptSettings(context), signal);
  if (read !== null && 'value' in read) {
    const callouts = read.value.callouts.filter((each) => isBelow(each.note, folder) && isOfType(each, wanted));
    const script = aboutScript(notAll(read.value));
    return { source: 'script', callouts, counts: countsOf(callouts), left_out: [], script };
  }
  const { answer, leftOut } = await foundCallouts(context, folder);
  return builtIn(answer, wanted, leftOut, aboutScript(read?.problem ?? state.reason));
}

/** By the list of all that it was made from. */
const answered = new WeakMap<readonly NoteCallout[], { readonly of: string; readonly list: CalloutList }>();

/** The same object where nothing changed since it was asked for last. */
function builtIn(
  all: readonly NoteCallout[],
  wanted: string | undefined,
  left_out: CalloutList['left_out'],
  script: CalloutList['script'],
): CalloutList {
  const of = JSON.stringify([wanted, left_out, script]);
  const last = answered.get(all);
  if (last?.of === of) return last.list;
  const callouts = wanted === undefined ? all : all.filter((each) => isOfType(each, wanted));
  const list: CalloutList = { source: 'built-in', callouts, counts: countsOf(callouts), left_out, script };
  answered.set(all, { of, list });
  return list;
}

function aboutScript(reason: string | null): CalloutList['script'] {
  return reason === null ? null : { file: `.scripts/${CALLOUTS_SCRIPT}`, reason };
}

function notAll({ total }: GivenCallouts): string | null {
  return total > MAX_CALLOUTS ? `it gave ${total} callouts, of which the first ${MAX_CALLOUTS} are kept` : null;
}

/** What was told last, which need not come from the thread again while it is the same. */
const told = new WeakMap<
  Vault,
  { readonly dir: string; readonly version: string; readonly callouts: readonly NoteCallout[] }
>();

async function foundCallouts(context: Pick<OperationContext, 'vault' | 'config'>, dir: string) {
  const last = told.get(context.vault);
  const known = last?.dir === dir ? last : undefined;
  const { answer, leftOut } = await surveyFolder(context, dir, { about: 'callouts', known: known?.version });
  const callouts = answer.callouts ?? known?.callouts ?? [];
  told.set(context.vault, { dir, version: answer.version, callouts });
  return { answer: callouts, leftOut };
}

/** Of a script's callouts: those that do not say where they stand are below no folder but the vault. */
function isBelow(note: string | undefined, folder: string): boolean {
  return folder === '' || (note !== undefined && pathKey(note).startsWith(`${pathKey(folder)}/`));
}

function isOfType({ type }: ScriptCallout, wanted: string | undefined): boolean {
  return wanted === undefined || type === wanted;
}

function countsOf(callouts: readonly ScriptCallout[]): CalloutList['counts'] {
  const bySeverity = { error: 0, warning: 0, info: 0 };
  const byType = new Map<string, number>();
  for (const { severity, type } of callouts) {
    bySeverity[severity]++;
    if (type !== undefined) byType.set(type, (byType.get(type) ?? 0) + 1);
  }
  const types = [...byType].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return { total: callouts.length, by_severity: bySeverity, by_type: Object.fromEntries(types) };
}
