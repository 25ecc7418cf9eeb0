import { exactFrontmatter } from '@vault-mcp/shared/vault/note/frontmatter';
import { describe, expect, it } from 'vitest';
import { holdsValue } from './frontmatter-match.ts';

const { data } = exactFrontmatter(`---
status: Done
number: 3
half: 0.50
text: "3"
flag: true
day: 2026-01-31
nothing:
blank: ""
tags: [house, 7, false, [deep], {a: b}]
empty: []
place: {city: Ulm, "zip.code": 89073}
expires:
  - {date: 2026-01-31, what: lease}
  - {date: 2026-02-28}
"a.b": literal
a: {b: nested, c: {d: deeper}}
name: cafe\u0301
toString: own
id: 9007199254740993
ids: [-12345678901234567890, 0x20000000000001, 9007199254740995.0, 1e300]
---
`);
const holds = (key: string, value?: string) => holdsValue(data, key, value);

describe('a value', () => {
  it.each([
    ['status', 'Done'],
    ['number', '3'],
    ['number', '3.0'],
    ['number', '3e0'],
    ['half', '0.5'],
    ['text', '3'],
    ['flag', 'true'],
    ['day', '2026-01-31'],
    ['nothing', ''],
    ['blank', ''],
    ['tags', 'house'],
    ['tags', '7'],
    ['tags', 'false'],
    ['place.city', 'Ulm'],
    ['expires.date', '2026-02-28'],
    ['a.b', 'literal'],
    ['a.c.d', 'deeper'],
    ['name', 'caf\u00e9'],
    ['toString', 'own'],
    ['id', '9007199254740993'],
    ['id', '+9007199254740993.0'],
    ['id', '9007199254740993e0'],
    ['ids', '-12345678901234567890'],
    ['ids', '9007199254740993'],
    ['ids', '9007199254740995'],
    ['ids', '1e300'],
  ])('is found: %s is %j', (key, value) => {
    expect(holds(key, value)).toBe(true);
  });

  it.each([
    ['status', 'done'],
    ['status', 'Don'],
    ['status', ''],
    ['Status', 'Done'],
    ['number', '3 '],
    ['number', '0x3'],
    ['number', '3.0000000000000000000001e40'],
    ['id', '9007199254740992'],
    ['id', '9007199254740994'],
    ['ids', '-12345678901234567891'],
    ['ids', '9007199254740996'],
    ['number', ''],
    ['text', '3.0'],
    ['flag', 'True'],
    ['flag', '1'],
    ['nothing', 'null'],
    ['tags', 'deep'],
    ['tags', 'a'],
    ['tags', 'house,7'],
    ['empty', ''],
    ['place', 'Ulm'],
    ['place.zip', '89073'],
    ['expires.what', '2026-01-31'],
    ['a.b', 'nested'],
    ['missing', ''],
    ['constructor', ''],
    ['status.length', '4'],
  ])('is not found: %s is not %j', (key, value) => {
    expect(holds(key, value)).toBe(false);
  });
});

describe('a key', () => {
  it.each(['status', 'nothing', 'blank', 'empty', 'place', 'place.city', 'expires.what', 'toString'])(
    'is there: %s',
    (key) => {
      expect(holds(key)).toBe(true);
    },
  );

  it.each(['Status', 'missing', 'valueOf', '__proto__', 'place.town', 'status.length', 'tags.0', 'a.', '.a', '.'])(
    'is not there: %s',
    (key) => {
      expect(holds(key)).toBe(false);
    },
  );
});
