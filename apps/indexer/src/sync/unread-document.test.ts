import { describe, expect, it } from 'vitest';
import type { ExtractionResult } from './extraction-result.ts';
import { HANDED_BACK, isReadInPart, OF_BEFORE_START, unreadRow } from './unread-document.ts';

const SHA = 'a'.repeat(64);
const LACK = 'tesseract is not installed here.';
const SCAN = `This is a scan, and ${LACK} It is read later.`;
const PARTLY = `Some of its pages are scans, and ${LACK} Left out: page 3.`;

const came = (facts: Partial<ExtractionResult>): ExtractionResult => ({
  ...{ path: 'a.pdf', sha256: SHA, status: 'failed', interrupted: true, retry: 'An extract worker has another vault.' },
  ...facts,
});
/** Read by a worker without OCR, as far as that goes. */
const read = (facts: Partial<ExtractionResult> = {}) =>
  came({ status: 'needs_ocr', interrupted: false, pages: 2, detail: SCAN, retry: SCAN, ...facts });
/** Not opened, for this is what the worker lacks. */
const unopened = (detail: string) => {
  const { interrupted: _, ...facts } = came({ status: 'needs_ocr', detail, retry: detail });
  return facts;
};
const stored = (reason: string, digest = HANDED_BACK, sha256 = SHA) => ({
  ...{ sha256, digest, reason },
  state: 'no_text' as const,
});

const WAITS = { change: 'row', result: null };
const NONE = { change: 'none' };

describe('the row of a document that nobody has read', () => {
  it('says that it waits, once', () => {
    expect(unreadRow(undefined, SHA, undefined)).toEqual(WAITS);
    expect(unreadRow(stored('pending', ''), SHA, undefined)).toEqual(NONE);
  });

  it.each([
    ['other bytes', stored('pending', '', 'b'.repeat(64))],
    ['a result of before this start', stored(`needs_ocr: ${SCAN}`, '')],
    ['a reading that was ended before this start', stored('interrupted: It took too long.', '')],
    ['what held it up before this start', stored('pending: An extract worker has another vault.', '')],
    ['a result under other settings', stored(`needs_ocr: ${SCAN}`, 'older')],
  ])('says that it waits in place of %s', (_what, row) => {
    expect(unreadRow(row, SHA, undefined)).toEqual(WAITS);
  });

  it.each([
    ['a result under other settings', 'older'],
    ['a result of before this start', ''],
  ])('says what was read of it and words find, where that is %s', (_what, digest) => {
    const row = { ...stored('ocr', digest), state: 'indexed' as const };
    expect(unreadRow(row, SHA, undefined)).toEqual(NONE);
    expect(unreadRow(row, SHA, came({}))).toEqual(NONE);
    expect(unreadRow(row, 'b'.repeat(64), undefined)).toEqual(WAITS);
  });

  it('says what holds it up once it came back, without being made anew', () => {
    const { retry } = came({});
    expect(unreadRow(undefined, SHA, came({}))).toEqual({ ...WAITS, heldUp: retry });
    expect(unreadRow(stored('pending', ''), SHA, came({}))).toEqual({ change: 'reason', reason: `pending: ${retry}` });
    expect(unreadRow(stored(`pending: ${retry}`), SHA, came({}))).toEqual(NONE);
    expect(unreadRow(stored('pending: Something else.'), SHA, came({}))).toMatchObject({ change: 'reason' });
    // A reconcile that asks for it again knows nothing new.
    expect(unreadRow(stored(`pending: ${retry}`), SHA, undefined)).toEqual(NONE);
  });

  it('takes nothing from what came back of other bytes', () => {
    expect(unreadRow(stored('pending', ''), SHA, read({ sha256: 'b'.repeat(64) }))).toEqual(NONE);
  });
});

describe('the row of a document that a worker without OCR has looked at', () => {
  it('holds what could be read of it, once', () => {
    expect(unreadRow(stored('pending', ''), SHA, read())).toEqual({ change: 'row', result: read() });
    expect(unreadRow(stored(`needs_ocr: ${SCAN}`), SHA, read())).toEqual(NONE);
    expect(unreadRow(stored(`needs_ocr: ${SCAN}`), SHA, undefined)).toEqual(NONE);
  });

  it.each([
    ['needs_ocr', SCAN],
    ['extracted', PARTLY],
  ] as const)('stays as it is while others lack the same, and names what is lacking by now: %s', (status, detail) => {
    const row = stored(`${status}: ${detail}`);
    expect(unreadRow(row, SHA, unopened(LACK))).toEqual(NONE);
    const by = 'tesseract lacks the language data for deu.';
    expect(unreadRow(row, SHA, unopened(by))).toEqual({
      change: 'reason',
      reason: `${status}: ${detail.slice(0, detail.indexOf('tesseract'))}${by}`,
    });
  });

  it('stays as it is whatever else keeps others from reading it', () => {
    expect(unreadRow(stored(`needs_ocr: ${SCAN}`), SHA, came({}))).toEqual(NONE);
  });

  it('waits as any other where its result is of before this start, until somebody has opened it', () => {
    expect(unreadRow(stored(`needs_ocr: ${SCAN}`, ''), SHA, unopened(LACK))).toEqual(WAITS);
    expect(unreadRow(stored('pending', ''), SHA, unopened(LACK))).toEqual(NONE);
  });

  it('is known by what it says', () => {
    expect([`needs_ocr: ${SCAN}`, `extracted: ${PARTLY}`].map((reason) => isReadInPart(stored(reason)))).toEqual([
      true,
      true,
    ]);
    const others = [undefined, stored('pending: An extract worker …'), stored(`needs_ocr: ${SCAN}`, 'in force')];
    expect(others.map(isReadInPart)).toEqual([false, false, false]);
  });
});

it('gives every document that came back another chance at a start', () => {
  const reasons = [`needs_ocr: ${SCAN}`, `extracted: ${PARTLY}`, 'pending: An extract worker has another vault.'];
  for (const reason of reasons) expect(OF_BEFORE_START.some((begin) => reason.startsWith(begin))).toBe(true);
});
