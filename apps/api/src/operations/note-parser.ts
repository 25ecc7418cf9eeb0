/**
 * Parses notes for reading without holding anybody else up: short ones at once, long ones on a thread, one at a time;
 * what was answered of the last ones is remembered, since a long note is read page by page.
 */
import { yamlLength } from '@vault-mcp/shared/vault/note/frontmatter';
import type { NoteAnswer, NoteQuestion } from './note-parts.ts';
import type { QuestionTask, WeighedAnswer } from './note-tasks.ts';
import { createNoteThread, type NoteThreadOptions, YAML_WEIGHT } from './note-thread.ts';

/** Bytes of answers remembered, each measured as it would be sent to another thread. */
const REMEMBERED_BYTES = 8 * 1024 * 1024;

/** A note's text with the hash of its bytes. */
export interface NoteSource {
  readonly text: string;
  readonly sha256: string;
}

export interface NoteParser {
  /** @throws AppError what `askNote` throws; note_too_large when it takes too long */
  ask<Q extends NoteQuestion>(note: NoteSource, question: Q): Promise<NoteAnswer<Q>>;
}

export interface NoteParserOptions extends Omit<NoteThreadOptions, 'advice'> {
  readonly rememberedBytes?: number;
}

export function createNoteParser(options: NoteParserOptions = {}): NoteParser {
  const { rememberedBytes = REMEMBERED_BYTES, ...threadOptions } = options;
  const thread = createNoteThread({ ...threadOptions, advice: 'split it, or read it as raw bytes.' });
  /** The last asked for last. */
  const remembered = new Map<string, WeighedAnswer>();
  const running = new Map<string, Promise<WeighedAnswer>>();
  let bytes = 0;

  function remember(key: string, answer: WeighedAnswer): void {
    if (answer.bytes > rememberedBytes) return;
    bytes += answer.bytes - (remembered.get(key)?.bytes ?? 0);
    remembered.delete(key);
    remembered.set(key, answer);
    for (const [oldest, { bytes: freed }] of remembered) {
      if (bytes <= rememberedBytes) return;
      remembered.delete(oldest);
      bytes -= freed;
    }
  }

  return {
    async ask<Q extends NoteQuestion>(note: NoteSource, question: Q) {
      const key = `${note.sha256} ${JSON.stringify(question)}`;
      let found = remembered.get(key);
      if (!found) {
        const task: QuestionTask = { about: 'question', text: note.text, question };
        const parsing = running.get(key) ?? thread.run(task, note.text.length + YAML_WEIGHT * yamlLength(note.text));
        running.set(key, parsing);
        found = await parsing.finally(() => running.delete(key));
      }
      remember(key, found);
      return found.answer as NoteAnswer<Q>;
    },
  };
}

/** The one of this process: what it remembers belongs to the bytes alone, whatever vault they are from. */
export const noteParser: NoteParser = createNoteParser();
