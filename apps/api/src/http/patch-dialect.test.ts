import { describe, expect, it } from 'vitest';
import type { PatchBody } from './note-body.ts';
import { patchCallOf } from './patch-dialect.ts';

const text = (body: string): PatchBody => ({ type: 'text', text: body });
const json = (body: unknown): PatchBody => ({ type: 'json', text: JSON.stringify(body) });
const raw = (body: string): PatchBody => ({ type: 'json', text: body });
type Headers = Readonly<Record<string, string>>;

/** Names as HTTP clients write them. */
function call(headers: Headers, body: PatchBody, query = {}) {
  const lower = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return patchCallOf((name) => lower.get(name), body, query);
}

function refused(headers: Headers, body: PatchBody, message: RegExp, code = 'invalid_request') {
  expect(() => call(headers, body)).toThrow(expect.objectContaining({ code, message: expect.stringMatching(message) }));
}

describe('the header dialect', () => {
  const HEADING = { 'Target-Type': 'heading', Target: 'A::B', Operation: 'append' };
  const appended = { target_type: 'heading', target: 'A::B', operation: 'append', content: 'x' };

  it.each([
    ['without a version', HEADING],
    ['with version 1', { ...HEADING, 'Markdown-Patch-Version': '1' }],
    ['with an encoded target', { ...HEADING, Target: 'A%3A%3AB' }],
    [
      'with what means nothing any more',
      { ...HEADING, 'Trim-Target-Whitespace': 'true', 'Apply-If-Content-Preexists': 'false' },
    ],
    ['with what is false anyway', { ...HEADING, 'Reject-If-Content-Preexists': 'false' }],
  ])('changes a section, %s', (_how, headers) => {
    expect(call(headers, text('x'))).toEqual({ operation: 'patch-note', input: appended });
  });

  it.each([
    [{ 'Target-Scope': 'own' }, { scope: 'own' }],
    [{ 'Target-Delimiter': '>' }, { target_delimiter: '>' }],
    [{ 'Create-Target-If-Missing': 'True' }, { create_if_missing: true }],
    [{ 'Create-Target-If-Missing': 'false' }, { create_if_missing: false }],
    [{ 'Target-Delimiter': '', 'Target-Scope': '', 'Create-Target-If-Missing': '' }, {}],
    [{ 'If-Match': '"abc"' }, { expected_etag: 'abc' }],
    [{ Operation: 'prepend' }, { operation: 'prepend' }],
    [{ Target: Buffer.from('Über 100% uns').toString('latin1') }, { target: 'Über 100% uns' }],
    [{ Target: 'Caf\u00e9' }, { target: 'Café' }],
  ])('says more by %j', (headers, input) => {
    expect(call({ ...HEADING, ...headers }, text('x')).input).toEqual({ ...appended, ...input });
  });

  it('leaves it to the operation what a target names, where no type is said', () => {
    const { target_type: _type, ...untyped } = appended;
    expect(call({ Target: 'A::B', Operation: 'append' }, text('x')).input).toEqual(untyped);
    expect(call({ Target: '^x', Operation: 'append' }, text('x')).input).toEqual({ ...untyped, target: '^x' });
    const inJson = { target: '^x', operation: 'append', content: 'x' };
    expect(call({}, json(inJson)).input).toEqual({ ...untyped, target: '^x' });
  });

  it('replaces unless it says otherwise, and with nothing when the body is empty', () => {
    const input = { target: 'A', operation: 'replace', content: '' };
    expect(call({ Target: 'A' }, text('')).input).toEqual(input);
  });

  it('deletes without a body', () => {
    const input = { target_type: 'block', target: '^x', operation: 'delete' };
    expect(call({ 'Target-Type': 'block', Target: '^x', Operation: 'delete' }, text('')).input).toEqual(input);
    refused({ Target: 'A', Operation: 'delete' }, text('x'), /takes no content/);
  });

  it('takes a text that comes as JSON, but no rows of a table', () => {
    expect(call(HEADING, json('x')).input).toEqual(appended);
    refused(HEADING, json([['a', 'b']]), /table rows as lines of Markdown/);
    refused(HEADING, raw('{'), /not valid JSON/);
  });

  it('changes the whole prose', () => {
    const input = { target_type: 'body', operation: 'prepend', content: 'x' };
    expect(call({ 'Target-Type': 'body', Operation: 'prepend' }, text('x')).input).toEqual(input);
  });

  it.each([
    [{ Operation: 'insert' }, /Operation must be one of append, prepend, replace, delete/],
    [{ 'Target-Type': 'line' }, /Target-Type must be one of heading/],
    [{ 'Target-Scope': 'parent' }, /Target-Scope must be one of content/],
    [{ 'Create-Target-If-Missing': 'yes' }, /Create-Target-If-Missing must be one of true, false/],
    [{ 'Reject-If-Content-Preexists': 'true' }, /If-Match/],
    [{ 'Markdown-Patch-Version': '3' }, /is 1 .* or 2/],
    [{ Within: '-1' }, /\^id/],
    [{ Destination: '%7B%7D' }, /not moved here/],
    [{ 'If-None-Match': '*' }, /for PUT/],
  ])('is not misread: %j', (headers, message) => {
    refused({ ...HEADING, ...headers }, text('x'), message);
  });
});

describe("the plugin's raw-content mode (Markdown-Patch-Version 2)", () => {
  const RAW = { 'Markdown-Patch-Version': '2', 'Target-Type': 'heading', Operation: 'append' };

  it('names a heading by a list', () => {
    const input = { target_type: 'heading', target: ['A', 'B::C'], operation: 'append', content: 'x' };
    const Target = encodeURIComponent('["A","B::C"]');
    expect(call({ ...RAW, Target }, text('x')).input).toEqual(input);
  });

  it.each(['null', '[]', '%5B%5D'])('means the whole prose by %s', (Target) => {
    const input = { target_type: 'body', operation: 'append', content: 'x' };
    expect(call({ ...RAW, Target }, text('x')).input).toEqual(input);
  });

  it('names blocks and keys plainly', () => {
    const block = { ...RAW, 'Target-Type': 'block', Target: 'abc' };
    expect(call(block, text('x')).input).toMatchObject({ target_type: 'block', target: 'abc' });
  });

  it('takes no heading as A::B, and no empty body', () => {
    refused({ ...RAW, Target: 'A::B' }, text('x'), /percent-encoded JSON list/);
    refused({ ...RAW, Target: '%5B%22A%22%5D' }, text(''), /body is empty/);
    refused({ ...RAW, Target: '["A", 1]' }, text('x'), /percent-encoded JSON list/);
  });
});

describe('frontmatter', () => {
  const KEY = { 'Target-Type': 'frontmatter', Target: 'status' };

  it.each([
    ['"approved"', 'approved'],
    ['3', 3],
    ['["a", "b"]', ['a', 'b']],
    ['false', false],
  ])('takes %s as text or as JSON', (body, value) => {
    const expected = { operation: 'set-frontmatter', input: { key: 'status', value } };
    expect(call(KEY, text(body))).toEqual(expected);
    expect(call(KEY, raw(body))).toEqual(expected);
    const inJson = { targetType: 'frontmatter', target: 'status', operation: 'replace', value };
    expect(call({}, json(inJson))).toEqual(expected);
  });

  it('says how a text is written as JSON', () => {
    refused(KEY, text('approved'), /text needs its quotes, such as "approved"/, 'invalid_value');
    refused(KEY, text(''), /is JSON/, 'invalid_value');
    refused(KEY, raw('approved'), /text needs its quotes/, 'invalid_value');
  });

  it('is added to, deleted, and made when missing', () => {
    expect(call({ ...KEY, Operation: 'append', 'Create-Target-If-Missing': 'true' }, raw('["x"]')).input).toEqual({
      key: 'status',
      value: ['x'],
      operation: 'append',
      create_if_missing: true,
    });
    const deleted = { operation: 'set-frontmatter', input: { key: 'status', delete: true } };
    expect(call({ ...KEY, Operation: 'delete' }, text(''))).toEqual(deleted);
    const inJson = { targetType: 'frontmatter', target: ['status'], operation: 'delete', scope: 'markerAndContent' };
    expect(call({}, json(inJson))).toEqual(deleted);
  });

  it('takes text in a field of JSON as it is', () => {
    const inJson = { targetType: 'frontmatter', target: 'status', operation: 'replace', content: 'approved' };
    expect(call({}, json(inJson)).input).toEqual({ key: 'status', value: 'approved' });
  });

  it('needs one key, and knows no renaming', () => {
    refused({ 'Target-Type': 'frontmatter' }, text('1'), /frontmatter key/);
    refused(
      {},
      json({ targetType: 'frontmatter', target: ['a', 'b'], operation: 'replace', value: 1 }),
      /one and no path/,
    );
    refused({ ...KEY, 'Target-Scope': 'marker' }, text('"x"'), /To rename a key/);
    refused({}, json({ targetType: 'frontmatter', target: 'a', operation: 'replace' }), /takes a JSON value/);
  });
});

describe('text', () => {
  const WANTED = { find: 'a', replace: 'b', count: 2, section: 'Plan' };
  const expected = { operation: 'replace-text', input: WANTED };

  it('is found and replaced by the JSON of replace_text', () => {
    expect(call({ 'Target-Type': 'text' }, json(WANTED))).toEqual(expected);
    expect(call({ 'Target-Type': 'text', Operation: 'replace' }, text(JSON.stringify(WANTED)))).toEqual(expected);
    expect(call({}, json({ targetType: 'text', value: WANTED }))).toEqual(expected);
  });

  it('may say its own conditions', () => {
    const body = json({ ...WANTED, expected_etag: 'abc', dry_run: true });
    expect(call({ 'Target-Type': 'text', 'If-Match': 'abc' }, body).input).toEqual({
      ...WANTED,
      expected_etag: 'abc',
      dry_run: true,
    });
    refused({ 'Target-Type': 'text', 'If-Match': 'other' }, body, /given twice/);
  });

  it.each([
    [{ 'Target-Type': 'text' }, json({ find: 'a' }), /replace is required/],
    [{ 'Target-Type': 'text' }, json({ ...WANTED, path: 'N.md' }), /Unknown parameter "path"/],
    [{ 'Target-Type': 'text' }, text('a'), /send JSON/],
    [{ 'Target-Type': 'text' }, text(''), /send JSON/],
    [{ 'Target-Type': 'text', Target: 'Plan' }, json(WANTED), /"section"/],
    [{ 'Target-Type': 'text', Operation: 'append' }, json(WANTED), /found and replaced/],
  ])('is not misread: %j', (headers, body, message) => {
    refused(headers, body, message);
  });
});

describe('the JSON dialect', () => {
  const HEADING = { targetType: 'heading', target: ['A', 'B'], operation: 'append', content: 'x' };
  const appended = { target_type: 'heading', target: ['A', 'B'], operation: 'append', content: 'x' };

  it.each([
    [{}, {}],
    [{ target: 'A::B' }, { target: 'A::B' }],
    [
      { target: 'A>B', targetDelimiter: '>' },
      { target: 'A>B', target_delimiter: '>' },
    ],
    [{ scope: 'markerAndContent' }, { scope: 'markerAndContent' }],
    [{ createTargetIfMissing: true }, { create_if_missing: true }],
    [{ dryRun: true }, { dry_run: true }],
    [{ ifMatch: '"abc"' }, { expected_etag: 'abc' }],
    [{ rejectIfContentPreexists: false }, {}],
    [
      { targetType: 'block', target: 'b' },
      { target_type: 'block', target: 'b' },
    ],
  ])('changes a part, by %j', (fields, input) => {
    expect(call({}, json({ ...HEADING, ...fields }))).toEqual({
      operation: 'patch-note',
      input: { ...appended, ...input },
    });
  });

  it.each([null, []])('means the whole prose by the target %j', (target) => {
    const input = { target_type: 'body', operation: 'append', content: 'x' };
    expect(call({}, json({ ...HEADING, target })).input).toEqual(input);
  });

  it('leaves a missing content for the operation to name', () => {
    const { content: _none, ...without } = HEADING;
    expect(call({}, json(without)).input).not.toHaveProperty('content');
  });

  it.each([
    [{ targettype: 'heading' }, /Unknown parameter "targettype" \(did you mean "targetType"\?\)/],
    [{ operation: undefined }, /operation is required/],
    [{ operation: 'move' }, /operation must be one of/],
    [{ scope: 'parent' }, /scope must be one of/],
    [{ target: 5 }, /target does not fit: send a text/],
    [{ target: ['A', ''] }, /target.1 must not be empty/],
    [{ value: 1 }, /either content .* or value/],
    [{ targetType: 'text', find: 'a', replace: 'b' }, /goes into value/],
    [{ within: -1 }, /\^id/],
    [{ destination: { parent: null, place: 'last' } }, /not moved here/],
    [{ rejectIfContentPreexists: true }, /ifMatch/],
    [{ ifMatch: 'W/"abc"' }, /ifMatch takes one etag/],
  ])('is not misread: %j', (fields, message) => {
    refused({}, json({ ...HEADING, ...fields }), message);
  });

  it.each(['[]', '"x"', 'null', '{', ''])('is one object, not %j', (body) => {
    refused({}, raw(body), /./);
  });

  it('agrees with what else the request says', () => {
    const body = json({ ...HEADING, ifMatch: 'abc', dryRun: true });
    expect(call({ 'If-Match': '"abc"' }, body, { dry_run: true, wait: 'indexed' }).input).toEqual({
      ...appended,
      expected_etag: 'abc',
      dry_run: true,
      wait: 'indexed',
    });
    refused({ 'If-Match': '"other"' }, body, /given twice/);
    expect(() => call({}, body, { dry_run: false })).toThrow(/dry_run is given twice/);
  });

  it('is what a body without any sign of another dialect has to be', () => {
    refused({}, text('x'), /Say what to change/);
    refused({ 'Target-Scope': 'own' }, text('x'), /Say what to change/);
  });
});
