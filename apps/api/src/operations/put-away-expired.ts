/**
 * Puts proposals that nobody decided in time among the discards, before those are shown: on a server that nobody proposes to
 * nothing else would. Danger: looking must not fail because something could not be put away.
 */
import { recoverProposals } from '../memory/gate/recover.ts';
import { gatePorts, type MemoryContext } from './gate-ports.ts';

/** Some of them, as a proposal does; what fails is logged. */
export async function putAwayExpired(context: MemoryContext): Promise<void> {
  try {
    await recoverProposals(gatePorts(context, { agent: 'operator' }).whole(), { briefly: true });
  } catch (error) {
    context.log.error({ err: error }, 'proposals that are too old could not be put away');
  }
}
