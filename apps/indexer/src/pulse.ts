/**
 * Tells a health check that this program is well, by the time of a file: what checks it then needs none of the program,
 * which matters where it runs every few seconds beside slow work. Danger: a program that hangs must not seem well, so the
 * file is touched only after the program was asked, from the event loop that does its work.
 */
import { writeFile } from 'node:fs/promises';
import type { Logger } from '@vault-mcp/shared/log';

export interface Pulse {
  stop(): void;
}

export interface PulseOptions {
  /** Made when missing; on a file system of this container's own. */
  readonly file: string;
  readonly isWell: () => Promise<boolean>;
  readonly logger: Logger;
  /** Default a third of what health-check.ts allows. */
  readonly beatMs?: number;
}

const BEAT_MS = 5_000;

export function startPulse({ file, isWell, logger, beatMs = BEAT_MS }: PulseOptions): Pulse {
  let beating = false;
  const beat = async () => {
    // Redis may take its time to say no; one question at a time.
    if (beating) return;
    beating = true;
    try {
      if (await isWell()) await writeFile(file, '');
    } catch (error) {
      logger.debug({ err: error }, 'not well');
    } finally {
      beating = false;
    }
  };
  void beat();
  const timer = setInterval(() => void beat(), beatMs);
  return { stop: () => clearInterval(timer) };
}
