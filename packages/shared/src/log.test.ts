import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createLogger, createOutageLog, type LogLevel, readableLine, reasonOf, silentLogger } from './log.ts';

function captured(level?: LogLevel) {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const logger = createLogger({ name: 'test', destination, ...(level === undefined ? {} : { level }) });
  return { logger, lines, parsed: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

describe('an outage in the log', () => {
  it('is one line when it begins and one when it ends, however often it is met', () => {
    const { logger, parsed } = captured();
    const outage = createOutageLog(logger, { away: 'it is away', back: 'it is back' }, { model: 'm' });
    outage.back();
    for (const reason of ['first', 'second']) outage.away(reason);
    for (const _call of [1, 2]) outage.back();
    outage.away('third');
    expect(parsed().map(({ level, msg, reason, model }) => [level, msg, reason, model])).toEqual([
      [40, 'it is away', 'first', 'm'],
      [30, 'it is back', undefined, 'm'],
      [40, 'it is away', 'third', 'm'],
    ]);
  });

  it('has a reason whatever was thrown', () => {
    class Nameless extends Error {
      override readonly name = 'NamelessError';
    }
    expect([new Error('full'), new Nameless(), 'odd', undefined].map(reasonOf)).toEqual([
      'full',
      'NamelessError',
      'odd',
      'undefined',
    ]);
  });
});

describe('the log', () => {
  it('is one JSON object a line, with name and ISO time', () => {
    const { logger, lines, parsed } = captured();
    logger.info({ path: 'a.md' }, 'line\nbreak');
    logger.warn('second');
    expect(lines).toHaveLength(2);
    expect(lines.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true);
    expect(parsed()[0]).toMatchObject({ name: 'test', path: 'a.md', msg: 'line\nbreak' });
    expect(parsed()[0]?.time).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  });

  it('writes info and above unless told otherwise', () => {
    const { logger, parsed } = captured();
    logger.debug('fine detail');
    logger.info('news');
    expect(parsed().map(({ msg }) => msg)).toEqual(['news']);
  });

  it.each([
    ['error', ['error']],
    ['debug', ['error', 'info', 'debug']],
    ['silent', []],
  ] as const)('at level %s writes %j', (level, expected) => {
    const { logger, parsed } = captured(level);
    logger.error('error');
    logger.info('info');
    logger.debug('debug');
    expect(parsed().map(({ msg }) => msg)).toEqual(expected);
  });

  it('hides keys and authorisation, at the top and one level down', () => {
    const { logger, lines } = captured();
    const secret = 'sk-hidden';
    logger.info({ authorization: secret, api_key: secret, key: secret }, 'top');
    logger.info({ headers: { authorization: secret }, embedding: { api_key: secret } }, 'nested');
    expect(lines).toHaveLength(2);
    expect(lines.join('')).not.toContain(secret);
  });

  it('writes nothing when silent', () => {
    expect(silentLogger().isLevelEnabled('fatal')).toBe(false);
  });
});

describe('the log on a terminal', () => {
  const readable = (write: (logger: ReturnType<typeof captured>['logger']) => void): string => {
    const { logger, lines } = captured('debug');
    write(logger);
    return readableLine(lines[0] ?? '');
  };

  it('is one line: time, severity, who, what, why, and the particulars', () => {
    const line = readable((logger) =>
      logger.warn({ err: new Error('refused'), tries: 3, path: 'a b.md' }, 'no answer'),
    );
    expect(line).toMatch(/^\d\d:\d\d:\d\d warn test: no answer: refused \(tries=3, path=a b\.md\)\n$/);
  });

  it('leaves out what is not there', () => {
    expect(readable((logger) => logger.info('news'))).toMatch(/ info test: news\n$/);
    expect(readable((logger) => logger.error(new Error('boom')))).toMatch(/ error test: boom\n$/);
  });

  it('sends no control character of a name or a reason to the terminal', () => {
    const hostile = '\u001b[2Ja\r\nb\u202ec';
    const line = readable((logger) => logger.warn({ err: new Error(hostile), path: hostile }, 'file in quarantine'));
    expect(line.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(line.endsWith('\n')).toBe(true);
  });
});
