/**
 * Computes changes of notes without holding anybody else up: of short ones at once, of long ones on a thread, which is
 * not the one that reads wait for. Danger: whoever asks holds the note's lock meanwhile, and must not once the locks are
 * closed.
 */
import { editCost } from '@vault-mcp/shared/vault/note/edit/edit-cost';
import { requireFrontmatterKey, requireFrontmatterValue } from '@vault-mcp/shared/vault/note/edit/frontmatter-value';
import type { NoteEdit } from '@vault-mcp/shared/vault/note/edit/note-edit';
import type { ChangedText, ChangeTask, DiffTask } from './note-tasks.ts';
import { createNoteThread, type NoteThreadOptions, YAML_WEIGHT } from './note-thread.ts';
import { diffWeight } from './unified-diff.ts';

/** What it costs to look through a text and copy it, of a parse, at the very most. */
const COPY_WEIGHT = 1 / 64;
/** Two parses of 5 MB of the worst text take six seconds, and a machine may be busy with other things. */
const TIMEOUT_MS = 60_000;

export interface NoteChanger {
  /**
   * @param signal gives a long note's edit up
   * @throws AppError what `applyNoteEdit` throws; note_too_large when it takes too long; locked when it is given up, or
   * other long notes take too long
   */
  change(task: Omit<ChangeTask, 'about'>, signal?: AbortSignal): Promise<ChangedText>;
  /** What unifiedDiff gives. @throws AppError note_too_large when it takes too long */
  diff(task: Omit<DiffTask, 'about'>): Promise<string>;
}

export type NoteChangerOptions = Omit<NoteThreadOptions, 'advice'>;

export function createNoteChanger(options: NoteChangerOptions = {}): NoteChanger {
  const thread = createNoteThread({
    timeoutMs: TIMEOUT_MS,
    ...options,
    advice: 'nothing was changed. Split it, or write it anew as a whole.',
  });
  return {
    async change(planned, signal) {
      refuseUnsendable(planned.edit);
      const task: ChangeTask = { about: 'change', ...planned };
      const { copied, markdown, yaml } = editCost(task.text, task.edit);
      return thread.run(task, copied * COPY_WEIGHT + markdown + yaml * YAML_WEIGHT, signal);
    },
    diff(planned) {
      const task: DiffTask = { about: 'diff', ...planned };
      return thread.run(task, diffWeight(task.before ?? '', task.after));
    },
  };
}

/** The one of this process. */
export const noteChanger: NoteChanger = createNoteChanger();

/** A value that no frontmatter takes may be nothing that another thread can be sent; the edit refuses it in these words. */
function refuseUnsendable(edit: NoteEdit): void {
  if (edit.kind === 'several') for (const one of edit.edits) refuseUnsendable(one);
  if (edit.kind !== 'set-key') return;
  requireFrontmatterKey(edit.key);
  requireFrontmatterValue(edit.value);
}
