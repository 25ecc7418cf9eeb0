import { describe, expect, it } from 'vitest';
import { AppError, ERROR_STATUS, type ErrorCode, toAppError } from './errors.ts';

/** The promised table, written out a second time: statuses with the codes they carry. */
const PROMISED: Readonly<Record<number, readonly string[]>> = {
  400: [
    'already_exists',
    'not_empty',
    'invalid_path',
    'out_of_scope',
    'unsupported_suffix',
    'is_directory',
    'not_a_directory',
    'is_document',
    'kind_change',
    'no_such_heading',
    'ambiguous_heading',
    'no_such_block',
    'no_such_text',
    'ambiguous_text',
    'no_frontmatter',
    'invalid_value',
    'unreadable',
    'empty_document',
    'wrong_parent_folder',
    'extraction_failed',
    'document_too_large',
    'note_too_large',
    'invalid_request',
  ],
  401: ['unauthorized'],
  403: ['forbidden'],
  404: ['not_found'],
  405: ['method_not_allowed'],
  409: ['locked'],
  412: ['precondition_failed'],
  416: ['range_not_satisfiable'],
  500: ['internal_error'],
  503: ['not_ready'],
  507: ['insufficient_storage'],
};

describe('the table of error codes', () => {
  it('holds the promised codes with their statuses and no other', () => {
    const promised = Object.entries(PROMISED).flatMap(([status, codes]) => codes.map((code) => [code, Number(status)]));
    expect(ERROR_STATUS).toEqual(Object.fromEntries(promised));
  });

  it.each(Object.keys(ERROR_STATUS) as ErrorCode[])('%s carries its status on the error', (code) => {
    expect(new AppError(code, 'Why, and what next.').status).toBe(ERROR_STATUS[code]);
  });
});

describe('what a transport may say about a thrown value', () => {
  it('is an AppError as it is', () => {
    const error = new AppError('not_found', 'There is no such note.');
    expect(toAppError(error)).toBe(error);
  });

  it.each([
    ['an error with internals', new Error('SQLITE_CORRUPT at /data/index.db')],
    ['a text', '/etc/passwd'],
    ['nothing', undefined],
    ['a look-alike', { code: 'not_found', message: 'secret', status: 404 }],
  ])('hides %s behind internal_error and keeps it as cause', (_what, thrown) => {
    const error = toAppError(thrown);
    expect(error.code).toBe('internal_error');
    expect(error.message).toBe(toAppError(new Error('another')).message);
    expect(error.cause).toBe(thrown);
  });
});
