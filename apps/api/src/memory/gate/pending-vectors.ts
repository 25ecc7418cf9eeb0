/**
 * Waits for vectors that are still being made. Danger: a note is found by its words as soon as it is indexed, and by its meaning
 * only once it is embedded, so of two proposals in a row the second would not be compared with the first; and an embedder may
 * take long, be gone or choke on a note, so the wait is short, none at all for what is only tried again later, and what did not
 * come is said.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { GatePorts } from '../ports.ts';

const WAIT_MS = 2_000;
const POLL_MS = 25;
/** Chunks: of more, such as those of a vault that is read for the first time, not all would come in that time. */
const FEW = 200;

type WaitingPorts = Pick<GatePorts, 'vault' | 'reader' | 'now'>;

/** @returns whether every note that the caller may read can be compared by its meaning */
export async function haveVectors({ vault, reader, now }: WaitingPorts): Promise<boolean> {
  const deadline = performance.now() + WAIT_MS;
  const { readRules } = vault.access;
  for (;;) {
    const pending = reader.vectorsPending(readRules);
    if (pending === 0) return true;
    if (pending > FEW || performance.now() >= deadline) return false;
    if (pending <= reader.vectorsPostponed(readRules, now().getTime() + WAIT_MS)) return false;
    await pause(POLL_MS);
  }
}
