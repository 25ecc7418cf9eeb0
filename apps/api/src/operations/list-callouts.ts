/**
 * The callouts of all notes, or what the vault's own script makes of them. Danger: people put what is still to be done
 * into them, so a note that could not be asked is named, and so is a script that did not answer. Asks the files, as
 * questions about frontmatter do.
 */
import { calloutSeverity, type Severity } from '@vault-mcp/shared/vault/note/callouts';
import type { Vault } from '@vault-mcp/shared/vault/vault';
import { z } from 'zod';
import type { NoteCallout } from '../checks/content-survey.ts';
import { CALLOUTS_SCRIPT } from '../checks/scripts/vault-scripts.ts';
import type { OperationContext } from '../context.ts';
import { dirInput, surveyFolder } from './survey-folder.ts';
import { type ScriptContext, scriptSettings, vaultScripts } from './vault-scripts.ts';

export const listCalloutsInput = z.strictObject({
  dir: dirInput,
  type: z.string().min(1).max(200).optional().describe('Only callouts of this type, whatever the case.'),
});

export interface CalloutList {
  /** `script`: the vault's own script gave them. */
  readonly source: 'built-in' | 'script';
  /** In the order of the notes' paths, then as they stand there; a script's as it gave them. */
  readonly callouts: readonly (NoteCallout | Readonly<Record<string, unknown>>)[];
  readonly counts: {
    readonly total: number;
    readonly by_severity: Readonly<Record<Severity, number>>;
    /** The most frequent first. */
    readonly by_type: Readonly<Record<string, number>>;
  };
  /** Notes and folders that could not be asked, and why. */
  readonly left_out: readonly { readonly path: string; readonly reason: string }[];
  /** The vault's own script, where there is one that did not answer. */
  readonly script: { readonly file: string; readonly reason: string } | null;
}

type Found = CalloutList['callouts'];

/** @throws AppError not_found, not_a_directory, invalid_path, unreadable: of the folder; not_ready: the notes take long */
export async function listCallouts(
  context: ScriptContext,
  { dir, type }: z.infer<typeof listCalloutsInput>,
): Promise<CalloutList> {
  const [{ answer, leftOut }, { state, read }] = await Promise.all([
    foundCallouts(context, dir),
    vaultScripts(context).callouts(scriptSettings(context)),
  ]);
  const wanted = type?.trim().toLowerCase();
  if (read !== null && 'value' in read) {
    const callouts = read.value.filter(
      (each) => isBelow(each.note, dir) && (wanted === undefined || typeOf(each) === wanted),
    );
    return { source: 'script', callouts, counts: countsOf(callouts), left_out: [], script: null };
  }
  const callouts = answer.filter((each) => wanted === undefined || each.type === wanted);
  const reason = read?.problem ?? state.reason;
  const script = reason === null ? null : { file: `.scripts/${CALLOUTS_SCRIPT}`, reason };
  return { source: 'built-in', callouts, counts: countsOf(callouts), left_out: leftOut, script };
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
function isBelow(note: unknown, dir: string): boolean {
  const folder = dir.replace(/^\/+|\/+$/g, '');
  return folder === '' || (typeof note === 'string' && note.startsWith(`${folder}/`));
}

function typeOf({ type }: Found[number]): string | undefined {
  return typeof type === 'string' ? type.trim().toLowerCase() : undefined;
}

function countsOf(callouts: Found): CalloutList['counts'] {
  const bySeverity = { error: 0, warning: 0, info: 0 };
  const byType = new Map<string, number>();
  for (const callout of callouts) {
    const type = typeOf(callout);
    bySeverity[severityOf(callout.severity, type)]++;
    if (type !== undefined) byType.set(type, (byType.get(type) ?? 0) + 1);
  }
  const types = [...byType].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return { total: callouts.length, by_severity: bySeverity, by_type: Object.fromEntries(types) };
}

function severityOf(severity: unknown, type: string | undefined): Severity {
  if (severity === 'error' || severity === 'warning' || severity === 'info') return severity;
  return type === undefined ? 'info' : calloutSeverity(type);
}
