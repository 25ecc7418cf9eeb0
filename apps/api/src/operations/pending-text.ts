/**
 * What to tell somebody who asks for a document whose text is still to come: how far it is, and what to do next. Danger: it
 * is said of a document that the caller named, so of any other it gives no name away, and to whoever may not read every file
 * not even a number.
 */
import type { Vault } from '@vault-mcp/shared/vault/vault';
import type { OperationContext } from '../context.ts';
import { documentStates, documentsInHand, indexerProblem, isReadByNobody, NOBODY_READS } from './status.ts';

/**
 * @param sha256 of the document that is there
 * @param heldUp what is known to keep it from being read
 */
export function whyPending(
  context: Pick<OperationContext, 'reader'> & { readonly vault: Pick<Vault, 'access'> },
  sha256: string,
  heldUp = '',
): string {
  const problem = indexerProblem(context);
  if (problem !== null) return `${problem} Its text is extracted once the indexer is there.`;
  const reading = documentsInHand(context);
  const own = reading.find((document) => document.sha256 === sha256);
  if (own) return `It is being read${placeOf(own)}: ask again in a moment.`;
  if (isReadByNobody(context)) return `It waits to be read and ${NOBODY_READS}`;
  if (heldUp !== '') return heldUp;
  if (context.vault.access.readRules !== null) return 'Its text is still to be extracted: ask again later.';
  // Those being read count as pending too, and this one may not be listed yet.
  const waiting = Math.max(documentStates(context).pending - 1 - reading.length, 0);
  if (waiting === 0 && reading.length === 0) return 'Its text is still to be extracted: ask again in a moment.';
  const others = waiting === 0 ? '' : `, as ${waiting === 1 ? 'does' : 'do'} ${otherDocuments(waiting)}`;
  return `It waits to be read${others}${whileRead(reading)}: ask again later.`;
}

/** The documents in hand, and how far one of them is. */
function whileRead(reading: ReturnType<typeof documentsInHand>): string {
  const [first] = reading;
  if (first === undefined) return '';
  const verb = reading.length === 1 ? 'is' : 'are';
  return `, while ${otherDocuments(reading.length)} ${verb} being read${reading.length === 1 ? placeOf(first) : ''}`;
}

function otherDocuments(count: number): string {
  return count === 1 ? 'one other document' : `${count} other documents`;
}

/**
 * How far somebody is with a scan that others have handed back; null while nobody recognises it. Whoever lacks OCR as well
 * only looks at its text layer.
 */
export function whileRecognised(context: Pick<OperationContext, 'reader'>, sha256: string): string | null {
  const own = documentsInHand(context).find((document) => document.sha256 === sha256 && document.step === 'ocr');
  return own ? `It is being read by now${placeOf(own)}: ask again in a moment.` : null;
}

/** How far a document in hand is: `, page 3 of 12 (OCR)`; empty while it is being opened. */
export function placeOf({ step, page, pages }: { step: string; page: number; pages: number }): string {
  return page === 0 ? '' : `, page ${page} of ${pages}${step === 'ocr' ? ' (OCR)' : ''}`;
}
