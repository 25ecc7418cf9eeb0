import { createLogger } from '@vault-mcp/shared/log';
import { expect, it } from 'vitest';
import { createHandBackLog } from './hand-back-log.ts';

function logging() {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const clock = { ms: 0 };
  const log = createHandBackLog(createLogger({ name: 'test', level: 'info', destination }), () => clock.ms);
  return { log, clock, said: () => lines.map(({ cause, reason, msg }) => [cause, reason ?? msg]) };
}

it('says a cause once while documents that meet it and others that do not take turns', () => {
  const { log, said } = logging();
  for (let turn = 0; turn < 3; turn++) {
    log.handedBack('vault', 'a', 'a.pdf is not there');
    log.read('b');
  }
  expect(said()).toEqual([['vault', 'a.pdf is not there']]);
});

it('says each of several causes that take turns once', () => {
  const { log, said } = logging();
  for (let turn = 0; turn < 3; turn++) {
    log.handedBack('vault', 'a', 'a.pdf is not there');
    log.handedBack('settings', 'b', 'b.pdf: another OCR language');
  }
  expect(said()).toEqual([
    ['vault', 'a.pdf is not there'],
    ['settings', 'b.pdf: another OCR language'],
  ]);
});

it('says that a cause has passed once every document that met it was read, and names it anew later', () => {
  const { log, said } = logging();
  log.handedBack('vault', 'a', 'a.pdf is not there');
  log.handedBack('vault', 'b', 'b.pdf is not there');
  log.read('a');
  expect(said()).toHaveLength(1);
  log.read('b');
  log.handedBack('vault', 'c', 'c.pdf is not there');
  expect(said().slice(1)).toEqual([
    ['vault', 'documents are read again'],
    ['vault', 'c.pdf is not there'],
  ]);
});

it('waits no longer for a document that has not come back for a quarter of an hour: another worker has it', () => {
  const { log, clock, said } = logging();
  log.handedBack('vault', 'a', 'a.pdf is not there');
  clock.ms = 15 * 60_000;
  log.read('b');
  expect(said()).toHaveLength(1);
  clock.ms++;
  log.read('b');
  expect(said()).toHaveLength(2);
});
