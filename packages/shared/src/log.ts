/**
 * The structured logger: JSON lines, one object per event. Danger: logs outlive what they describe, so no note
 * content and no key is ever passed to them; `redact` is a second fence, not the first.
 */
import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';

export type Logger = PinoLogger;
export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * @param options.name program or part that speaks (`api`, `indexer`, `cli`)
 * @param options.level least severe level written
 * @param options.destination where lines go; default standard error, since `vault-mcp mcp` speaks on standard output
 */
export function createLogger(options: { name: string; level?: LogLevel; destination?: DestinationStream }): Logger {
  return pino(
    {
      name: options.name,
      level: options.level ?? 'info',
      redact: ['*.authorization', '*.api_key', 'authorization', 'api_key', 'key'],
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    options.destination ?? pino.destination({ dest: 2, sync: true }),
  );
}

/** A logger that writes nothing: for tests and one-shot commands. */
export function silentLogger(): Logger {
  return pino({ level: 'silent' });
}
