/**
 * Proposals that `gate.model` decides: asked once, and once more when the target has changed meanwhile. Danger: whatever the
 * model is or is not, something becomes of the candidate: a note of its own, when nothing better can be made of it.
 */
import { chatTime } from '../chat/chat-time.ts';
import { decideByModel } from '../chat/decide.ts';
import type { ChatModel, GatePorts } from '../ports.ts';
import type { DoneAnswer } from '../types.ts';
import { act } from './act.ts';
import { createNote } from './carry-out.ts';
import type { Subject } from './plan.ts';
import type { Similar } from './similar.ts';

/** How often it is decided; after that the candidate is a note of its own. */
const MAX_DECISIONS = 2;

/**
 * @param found not empty
 * @param findAgain compares anew with what is on the disk by then
 */
export async function settleByModel(
  ports: GatePorts,
  chat: ChatModel,
  subject: Subject,
  found: Similar,
  findAgain: () => Promise<Similar>,
): Promise<DoneAnswer> {
  const patience = { time: chatTime(ports.config.chatSeconds), signal: ports.locks.closed };
  let { similar } = found;
  for (let asked = 1; similar.length > 0; asked++) {
    const decision = await decideByModel(chat, subject.candidate, similar, patience);
    const shown = { ...subject, seen: similar };
    if ('failed' in decision) return createNote(ports, shown, decision.failed, [decision.detail]);
    const outcome = await act(ports, { ...shown, decision }, 'model');
    if (outcome !== 'changed') return outcome;
    if (asked === MAX_DECISIONS) break;
    similar = (await findAgain()).similar;
  }
  return createNote(ports, subject, 'target_changed');
}
