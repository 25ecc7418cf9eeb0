/**
 * Compares facts with their pages without holding anybody else up: short pages at once, long ones on a thread. Danger: whoever
 * asks holds the page meanwhile.
 */
import { yamlLength } from '@vault-mcp/shared/vault/note/frontmatter';
import type { FactToPlace, PlacedFact } from '../memory/wiki/place-fact.ts';
import { createNoteThread, type NoteThreadOptions, YAML_WEIGHT } from './note-thread.ts';

/** As before, as edited, and as it is read again. */
const PARSES = 3;
/** The page's words, of the parse of as much text: as much again where they have to be looked up, as in Japanese. */
const WORDS = 1;
/** As an edit of a long note may take (note-changer.ts). */
const TIMEOUT_MS = 60_000;

/**
 * @param signal gives a long page up
 * @throws AppError what `placeFact` throws; `note_too_large` when it takes too long or too much memory; `locked` when it is given up, or other long
 * notes take too long
 */
export type FactPlacer = (task: FactToPlace, signal?: AbortSignal) => Promise<PlacedFact>;

export function createFactPlacer(options: Omit<NoteThreadOptions, 'advice'> = {}): FactPlacer {
  const advice = 'nothing was changed. Split the page.';
  const thread = createNoteThread({ timeoutMs: TIMEOUT_MS, ...options, advice });
  return (task, signal) => {
    const weight = (PARSES + WORDS) * task.text.length + PARSES * YAML_WEIGHT * yamlLength(task.text);
    return thread.run({ about: 'fact', ...task }, weight, signal);
  };
}

/** The one of this process. */
export const placeOnPage: FactPlacer = createFactPlacer();
