/**
 * What the extraction process says to its parent: lines of JSON on a pipe of their own. Danger: the process may have
 * been taken over by what it reads, so bytes are counted before they are kept, and a line that is no known message ends
 * the conversation.
 */
import { PAGE_STEPS } from '@vault-mcp/shared/vault/document-pages';
import { z } from 'zod';
import { extractionSchema } from './extraction.ts';

const count = z.number().int().nonnegative();
const progressMessage = z.object({
  progress: z.object({ page: count, pages: count, step: z.enum(PAGE_STEPS).default('text') }),
});
/** What there is so far, in case that nothing more comes. */
const provisionalMessage = z.object({ provisional: extractionSchema });
/** `code`: the system's, when the file could not be read; null for any other error. */
const finalMessage = z.union([
  z.object({ result: extractionSchema }),
  z.object({ error: z.object({ code: z.string().nullable(), message: z.string() }) }),
]);
const anyMessage = z.union([progressMessage, provisionalMessage, finalMessage]);

export type Message = z.infer<typeof anyMessage>;
export type FinalMessage = z.infer<typeof finalMessage>;

const LINE_FEED = 0x0a;

/**
 * @param to.maxBytes all that may ever be said
 * @param to.onProblem told once, as the end of a sentence about the process; nothing is read after it
 * @returns takes the pipe's chunks
 */
export function messageReader(to: {
  readonly maxBytes: number;
  readonly onMessage: (message: Message) => void;
  readonly onProblem: (problem: string) => void;
}): (chunk: Buffer) => void {
  let size = 0;
  let open = true;
  let begun: Buffer[] = [];
  const fail = (problem: string): void => {
    open = false;
    begun = [];
    to.onProblem(problem);
  };
  return (chunk) => {
    if (!open) return;
    size += chunk.length;
    if (size > to.maxBytes) return fail('answered more than can be kept');
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      const message = parseMessage(Buffer.concat([...begun, chunk.subarray(from, end)]));
      begun = [];
      from = end + 1;
      if (message === null) return fail('answered something that is no result');
      to.onMessage(message);
    }
    begun.push(chunk.subarray(from));
  };
}

function parseMessage(line: Buffer): Message | null {
  try {
    return anyMessage.safeParse(JSON.parse(line.toString('utf8'))).data ?? null;
  } catch {
    return null;
  }
}
