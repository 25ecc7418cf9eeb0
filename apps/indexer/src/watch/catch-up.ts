/**
 * What is known to be missing from the index for a reason that is no single file's: said once, and looked for again by a
 * reconcile, later each time. Danger: until then nobody looks for it but the timed reconcile, and that may be switched off.
 */
import { createOutageLog, type Logger, reasonOf } from '@vault-mcp/shared/log';
import { createLater } from './later.ts';

export interface CatchUp {
  /** Files are missing, for this reason. */
  behind(error: unknown): void;
  /** A reconcile is due that could not be had. */
  lookAgain(): void;
  /** Every file is in. A look that was asked for still comes: it costs little, and one too few would cost files. */
  caughtUp(): void;
  stop(): void;
}

/** Before the first look again, doubled up to `maxMs`: a full disk stays full for a while. */
const DELAYS = { firstMs: 5000, maxMs: 300_000 };
const WORDS = {
  away: 'not every file could be brought into the index: looking again later',
  back: 'every file is in the index again',
};

/** @param reconcile compares index and vault, and nothing else: whoever sees the queue come back does the rest */
export function createCatchUp(reconcile: () => void, logger: Logger): CatchUp {
  const later = createLater(reconcile, DELAYS);
  const outage = createOutageLog(logger, WORDS);
  return {
    behind(error) {
      outage.away(reasonOf(error));
      // Where it was met, for whoever looks for a defect.
      logger.debug({ err: error }, 'files were left to a later reconcile');
      later.ask();
    },
    lookAgain: () => later.ask(),
    caughtUp() {
      later.succeeded();
      outage.back();
    },
    stop: () => later.stop(),
  };
}
