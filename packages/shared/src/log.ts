/**
 * The structured logger: JSON lines, one object per event, and on a terminal the same as lines for people. Danger: logs
 * outlive what they describe, so no note content and no key is ever passed to them; `redact` is a second fence, not the
 * first. And a terminal obeys what it is sent, so nothing reaches it with its control characters.
 */
import { isatty } from 'node:tty';
import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';

export type Logger = PinoLogger;
export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * @param options.name program or part that speaks (`api`, `indexer`, `cli`)
 * @param options.level least severe level written
 * @param options.destination where lines go; default standard error, since `vault-mcp mcp` speaks on standard output,
 *   readable where that is a terminal
 */
export function createLogger(options: { name: string; level?: LogLevel; destination?: DestinationStream }): Logger {
  return pino(
    {
      name: options.name,
      level: options.level ?? 'info',
      redact: ['*.authorization', '*.api_key', 'authorization', 'api_key', 'key'],
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    options.destination ?? standardError(),
  );
}

const STANDARD_ERROR = 2;

function standardError(): DestinationStream {
  const stream = pino.destination({ dest: STANDARD_ERROR, sync: true });
  // Asked of the descriptor: a worker thread's process.stderr does not know what it ends in.
  return isatty(STANDARD_ERROR) ? { write: (line) => stream.write(readableLine(line)) } : stream;
}

const OWN_FIELDS = new Set(['level', 'time', 'pid', 'hostname', 'name', 'msg', 'err']);
const CONTROL_CHARACTERS = /[\p{Cc}\p{Cf}]/gu;

/**
 * A log line as a person reads it: `20:08:39 warn indexer: the embedder does not answer: connection refused (tries=3)`.
 * @param line one JSON line of this logger
 * @returns one line, with its newline; local time
 */
export function readableLine(line: string): string {
  const entry = JSON.parse(line) as Record<string, unknown>;
  const { level, time, name, msg, err } = entry as {
    level: number;
    time: string;
    name: string;
    msg?: string;
    err?: unknown;
  };
  const reason = (err as { message?: string } | undefined)?.message;
  // An error logged without words of its own has its message as both.
  const rest = Object.entries(entry)
    .filter(([key]) => !OWN_FIELDS.has(key))
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const said = [...new Set([msg, reason])].filter((part) => part !== undefined && part !== '').join(': ');
  const text = `${said}${rest.length === 0 ? '' : ` (${rest.join(', ')})`}`.replaceAll(CONTROL_CHARACTERS, ' ');
  const clock = new Date(time).toTimeString().slice(0, 8);
  return `${clock} ${pino.levels.labels[level] ?? level} ${name}: ${text}\n`;
}

/** Says once that something is away and once that it is back, however often it is met meanwhile. */
export interface OutageLog {
  /** @param reason one line, without its stack: what is away is another program, and where we met that says nothing */
  away(reason: string): void;
  back(): void;
}

/** @param words the two lines; @param fields stand in both */
export function createOutageLog(
  log: Pick<Logger, 'warn' | 'info'>,
  words: { readonly away: string; readonly back: string },
  fields: Readonly<Record<string, unknown>> = {},
): OutageLog {
  let isAway = false;
  return {
    away(reason) {
      if (!isAway) log.warn({ ...fields, reason }, words.away);
      isAway = true;
    },
    back() {
      if (isAway) log.info(fields, words.back);
      isAway = false;
    },
  };
}

/** What an error says, for a line that needs no stack. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}

/** A logger that writes nothing: for tests and one-shot commands. */
export function silentLogger(): Logger {
  return pino({ level: 'silent' });
}
