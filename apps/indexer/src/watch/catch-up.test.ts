import { createLogger } from '@vault-mcp/shared/log';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCatchUp } from './catch-up.ts';

function recorded() {
  const lines: { level: number; reason?: string }[] = [];
  let reconciles = 0;
  const logger = createLogger({ name: 'test', destination: { write: (line) => lines.push(JSON.parse(line)) } });
  const catchUp = createCatchUp(() => reconciles++, logger);
  return { catchUp, lines, reconciles: () => reconciles };
}

const WARN = 40;
const INFO = 30;

describe('what is missing from the index', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is said once, without a stack, however many files and looks it takes, and once that it is in', () => {
    const { catchUp, lines } = recorded();
    catchUp.behind(new Error('the disk is full'));
    catchUp.behind(new Error('the disk is full'));
    vi.advanceTimersByTime(60_000);
    catchUp.behind(new Error('the disk is full'));
    catchUp.caughtUp();
    catchUp.caughtUp();
    expect(lines).toEqual([
      expect.objectContaining({ level: WARN, reason: 'the disk is full' }),
      expect.objectContaining({ level: INFO }),
    ]);
    expect(lines[0]).not.toHaveProperty('err');
  });

  it('is looked for by one reconcile, later the next time, soon again once all was in', () => {
    const { catchUp, reconciles } = recorded();
    catchUp.behind(new Error('no'));
    catchUp.lookAgain();
    vi.advanceTimersByTime(5000);
    expect(reconciles()).toBe(1);
    catchUp.lookAgain();
    vi.advanceTimersByTime(5000);
    expect(reconciles()).toBe(1);
    vi.advanceTimersByTime(5000);
    expect(reconciles()).toBe(2);
    catchUp.caughtUp();
    catchUp.behind(new Error('no'));
    vi.advanceTimersByTime(5000);
    expect(reconciles()).toBe(3);
  });

  it('is looked for even when everything is in meanwhile: what was refused may not have been met', () => {
    const { catchUp, reconciles } = recorded();
    catchUp.lookAgain();
    catchUp.caughtUp();
    vi.advanceTimersByTime(5000);
    expect(reconciles()).toBe(1);
  });

  it('is left to the next start once it is stopped', () => {
    const { catchUp, reconciles } = recorded();
    catchUp.behind(new Error('no'));
    catchUp.stop();
    vi.advanceTimersByTime(600_000);
    expect(reconciles()).toBe(0);
  });
});
