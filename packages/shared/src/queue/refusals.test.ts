import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../log.ts';
import { createRefusals, type Refusals } from './refusals.ts';

const CALM_MS = 1_000;
const answer = (message: string) => Object.assign(new Error(message), { name: 'ReplyError' });
const FULL = answer(
  "OOM command not allowed when used memory > 'maxmemory'. script: 0123456789012345678901234567890123456789, on @user_script:1.",
);

let lines: { level: number; msg: string; reason?: string }[];
let isTaken: boolean;
let returns: number;
let refusals: Refusals;
beforeEach(() => {
  vi.useFakeTimers();
  lines = [];
  isTaken = false;
  returns = 0;
  refusals = createRefusals({
    log: createLogger({ name: 'test', destination: { write: (line) => lines.push(JSON.parse(line)) } }),
    tryOut: () => (isTaken ? Promise.resolve() : Promise.reject(FULL)),
    onAccepting: () => returns++,
    calmMs: CALM_MS,
  });
});
afterEach(() => {
  refusals.stop();
  vi.useRealTimers();
});
const later = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const levels = () => lines.map(({ level }) => level);

describe('a Redis that takes no jobs', () => {
  it('is told of once, in its own words and with what to do', async () => {
    for (let n = 0; n < 100; n += 1) refusals.refused(FULL);
    await later(60 * CALM_MS);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      level: 40,
      reason: expect.stringMatching(/^OOM command not allowed.*maxmemory\)/),
    });
    expect(lines[0]?.reason).not.toContain('script');
    expect(refusals.reason).toMatch(/^Redis takes no jobs: OOM/);
    expect(returns).toBe(0);
  });

  it('counts as well again, once, when it takes what is tried out though nobody has a job', async () => {
    refusals.refused(FULL);
    isTaken = true;
    await later(5 * CALM_MS);
    expect([levels(), refusals.reason, returns]).toEqual([[40, 30], null, 1]);
    refusals.refused(answer('MISCONF Redis is configured to save RDB snapshots'));
    expect(levels()).toEqual([40, 30, 40]);
  });

  it('does not count as well while it refuses one job and takes the next', async () => {
    isTaken = true;
    for (let n = 0; n < 20; n += 1) {
      refusals.refused(FULL);
      refusals.accepted();
      await later(CALM_MS / 4);
      refusals.accepted();
    }
    expect([levels(), returns]).toEqual([[40], 0]);
    await later(CALM_MS);
    refusals.accepted();
    expect([levels(), returns]).toEqual([[40, 30], 1]);
  });

  it('counts as well again only by a job where the refusal is of what a job takes', async () => {
    refusals.refused(answer("NOPERM this user has no permissions to run the 'evalsha' command"));
    isTaken = true;
    await later(60 * CALM_MS);
    expect([levels(), returns]).toEqual([[40], 0]);
    refusals.accepted();
    expect([levels(), returns]).toEqual([[40, 30], 1]);
  });

  it('is told of as well when it is met by those who work on jobs, but not what only they may not', async () => {
    expect(refusals.met(answer("NOPERM this user has no permissions to run the 'bzpopmin' command"))).toBe(false);
    expect(refusals.met(new Error('Missing lock for job 7'))).toBe(false);
    expect([refusals.reason, lines]).toEqual([null, []]);
    expect(refusals.met(FULL)).toBe(true);
    refusals.refused(FULL);
    expect(levels()).toEqual([40]);
  });

  it('is known by its silence as well, and by an older one’s words', async () => {
    isTaken = true;
    for (const error of [
      new Error('Command timed out'),
      answer('ERR Error running script (call to f_01): @user_script:1: -OOM command not allowed'),
    ]) {
      refusals.refused(error);
      expect(refusals.reason).toContain(error.message);
      await later(2 * CALM_MS);
      expect(refusals.reason).toBeNull();
    }
    expect(levels()).toEqual([40, 30, 40, 30]);
  });
});

it('passes over what the connection failed of, and whatever comes after the end', async () => {
  refusals.refused(new Error("Stream isn't writeable and enableOfflineQueue options is false"));
  expect([refusals.reason, lines]).toEqual([null, []]);
  refusals.refused(FULL);
  refusals.stop();
  isTaken = true;
  await later(60 * CALM_MS);
  refusals.refused(FULL);
  refusals.accepted();
  expect([levels(), returns]).toEqual([[40], 0]);
});
