/**
 * How long a chat model has, over all that it is asked about one matter. Danger: whoever proposes waits for it, and an MCP client
 * gives up after a minute: a limit for each ask alone would add up to more, and nobody would hear what became of the proposal.
 */
import type { ChatTime } from '../ports.ts';

/** @param seconds `gate.timeout_seconds`; they begin now */
export function chatTime(seconds: number): ChatTime {
  return { seconds, over: AbortSignal.timeout(seconds * 1000) };
}
