/**
 * What a ruling comes to, computed and nothing of it done: the intent, and the texts before and after for who wants to see them.
 * Danger: it is computed from the notes as they are now, and performed later; each step carries the etag that it was computed
 * from, and is refused on any other bytes.
 */
import { AppError } from '@vault-mcp/shared/errors';
import type { DiscardKind, NewDiscard } from '@vault-mcp/shared/records/discard-lines';
import type { SingleEdit } from '@vault-mcp/shared/vault/note/edit/note-edit';
import { parseFrontmatter } from '@vault-mcp/shared/vault/note/frontmatter';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { type NoteFile, readNoteFile } from '@vault-mcp/shared/vault/read';
import type { GatePorts, Stamp } from '../ports.ts';
import { isOperator, provenanceEdits } from '../provenance.ts';
import type { Candidate, Decision, FellBack, SimilarNote } from '../types.ts';
import { composeNote } from './compose-note.ts';
import type { TextChange } from './decision.ts';
import { etagOf, type Intent, intentOf, type MarkStep, storedStamp } from './intent.ts';
import { supersededByEdit, supersedesEdit, together } from './marks.ts';
import type { Touch } from './target-rights.ts';

/** What is proposed, by whom, under which number. */
export interface Subject {
  /** Of the row; a dry run has none. */
  readonly id: string;
  readonly candidate: Candidate;
  readonly agent: string;
  readonly source: string | undefined;
  /** What the decider saw, and said. */
  readonly seen: readonly SimilarNote[];
  readonly decision: Decision | null;
}

/** A note before and after. */
export interface PlannedChange {
  readonly path: VaultPath;
  readonly before: string | null;
  readonly after: string;
}

export interface Plan {
  readonly intent: Intent;
  readonly changes: readonly PlannedChange[];
  /** The old text of a note that this replaces, where nothing else keeps it: to be written down first. */
  readonly replaced?: NewDiscard | undefined;
}

/** The target is not what was shown any more. */
export type Changed = 'changed';

export type PlanPorts = Pick<GatePorts, 'vault' | 'config' | 'change' | 'now'>;

export function stampOf({ config, now }: Pick<GatePorts, 'config' | 'now'>): Stamp | null {
  return config.timestampKey === '' ? null : { key: config.timestampKey, now: now() };
}

export function planCreate(ports: PlanPorts, subject: Subject, path: VaultPath, fellBack: FellBack | null): Plan {
  const text = noteText(ports, subject, []);
  const create = { path, text, sha256: etagOf(text), inPlaceOf: null };
  return {
    intent: intentOf({ action: 'create', fellBack, create }),
    changes: [{ path, before: null, after: text }],
  };
}

/** @throws AppError what reading the target throws, but for one that is gone */
export async function planSupersede(
  ports: PlanPorts,
  subject: Subject,
  path: VaultPath,
  target: SimilarNote,
): Promise<Plan | Changed> {
  const old = await readAsShown(ports, target);
  if (old === 'changed') return 'changed';
  const mark = await planMark(ports, old, path);
  if ('reason' in mark) {
    const plan = planCreate(ports, subject, path, null);
    return { ...plan, intent: { ...plan.intent, unmarked: [{ path: old.path, reason: mark.reason }] } };
  }
  const text = noteText(ports, subject, [old.path]);
  const create = { path, text, sha256: etagOf(text), inPlaceOf: null };
  return {
    intent: intentOf({ action: 'supersede', create, marks: [mark.step] }),
    changes: [
      { path, before: null, after: text },
      { path: old.path, before: old.text, after: mark.after },
    ],
  };
}

/** The mark of an old note that says which note it is superseded by, or why it cannot carry one. */
export async function planMark(
  ports: Pick<GatePorts, 'change' | 'config' | 'now'>,
  old: Pick<NoteFile, 'path' | 'text' | 'sha256' | 'validUtf8'>,
  by: VaultPath,
): Promise<{ readonly step: MarkStep; readonly after: string } | { readonly reason: string }> {
  const { path, text, sha256: etagBefore, validUtf8 } = old;
  if (!validUtf8) return { reason: 'it is not valid UTF-8' };
  const stamp = stampOf(ports);
  try {
    const after = await ports.change(text, supersededByEdit(by), stamp);
    return { step: { path, etagBefore, stamp: storedStamp(stamp), sha256After: etagOf(after) }, after };
  } catch (error) {
    if (error instanceof AppError) return { reason: error.message };
    throw error;
  }
}

/**
 * The candidate is in the discard log whole whatever is written: its title, type and keys are in no note, and of its body nobody
 * can tell whether the text says it.
 *
 * @param touch with `append`, only text is added: not even who wrote it
 * @throws AppError what the edit throws, such as `no_such_heading`; what reading throws
 */
export async function planUpdate(
  ports: PlanPorts,
  subject: Subject,
  target: SimilarNote,
  change: TextChange,
  touch: Touch,
): Promise<Plan | Changed> {
  const old = await readAsShown(ports, target);
  if (old === 'changed') return 'changed';
  const edits = [textEdit(change), ...(touch === 'all' ? provenanceFor(subject, old.text) : [])];
  const edit = together(edits);
  const stamp = stampOf(ports);
  const after = await ports.change(old.text, edit, stamp);
  const step = { path: old.path, etagBefore: old.sha256, edit, stamp: storedStamp(stamp), sha256After: etagOf(after) };
  return {
    intent: intentOf({ action: 'update', update: step, discard: entryOf(subject, 'merged') }),
    changes: [{ path: old.path, before: old.text, after }],
    replaced: change.how === 'replace' && !ports.config.keepsHistory ? replacedEntry(subject, old) : undefined,
  };
}

/** The candidate goes to the discard log, whole and with what the decider saw. */
export function planDiscard(subject: Subject, kind: DiscardKind): Plan {
  return { intent: intentOf({ action: 'discard', discard: entryOf(subject, kind) }), changes: [] };
}

/** The text of a subject's new note. */
export function noteText(
  ports: Pick<GatePorts, 'config' | 'now'>,
  { candidate, agent, source }: Pick<Subject, 'candidate' | 'agent' | 'source'>,
  supersedes: readonly VaultPath[],
): string {
  const provenance = provenanceEdits({ agent, source }, isOperator(agent));
  return composeNote(candidate, { supersedes, provenance, stamp: stampOf(ports) });
}

/** A new note's text with marks for fewer old ones. */
export function withSupersedes(
  ports: Pick<GatePorts, 'change'>,
  text: string,
  paths: readonly VaultPath[],
): Promise<string> {
  return ports.change(text, supersedesEdit(paths), null);
}

async function readAsShown({ vault, config }: PlanPorts, target: SimilarNote): Promise<NoteFile | Changed> {
  try {
    const file = await readNoteFile(vault, target.path, { maxBytes: config.noteMaxBytes });
    return file.sha256 === target.etag ? file : 'changed';
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return 'changed';
    throw error;
  }
}

function textEdit({ how, content, section }: TextChange): SingleEdit {
  if (section !== undefined) return { kind: 'section', target: section, operation: how, content };
  return { kind: 'body', operation: how, content };
}

/** Only where there is a block already that can be read: an update makes none. */
function provenanceFor({ agent, source }: Subject, text: string): SingleEdit[] {
  const { present, error } = parseFrontmatter(text);
  return present && error === undefined ? provenanceEdits({ agent, source }, isOperator(agent)) : [];
}

function entryOf({ id, candidate, agent, source, seen, decision }: Subject, kind: DiscardKind): NewDiscard {
  return {
    ...{ id: `${id}:${kind}`, kind, agent, source, candidate: { ...candidate } },
    seen: seen.map((note) => ({ ...note })),
    ...(decision !== null && { decision: { ...decision } }),
  };
}

/** Named by the version too: after a change another text of the same note may come to be replaced. */
function replacedEntry({ id, agent, source }: Subject, { path, sha256: etag, text }: NoteFile): NewDiscard {
  return { id: `${id}:replaced:${etag}`, kind: 'replaced', agent, source, note: { path, etag, text } };
}
