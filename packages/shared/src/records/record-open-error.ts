/**
 * Why a record (what no rebuild brings back: audit log, move intents) cannot be used. Danger: the program must not go
 * on without it, nor mend it by itself, so this ends the start; the message is one plain line for a person.
 */
export class RecordOpenError extends Error {
  override readonly name = 'RecordOpenError';
}
