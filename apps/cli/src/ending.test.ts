import { ListenError } from '@vault-mcp/api/serve';
import { ConfigError } from '@vault-mcp/shared/config/load';
import { EmbedderError } from '@vault-mcp/shared/embedding/embedder';
import { AppError } from '@vault-mcp/shared/errors';
import { WriterLockedError } from '@vault-mcp/shared/index-db/writer-lock';
import { BaseUrlError } from '@vault-mcp/shared/remote/base-url';
import { expect, it } from 'vitest';
import { endingOf } from './ending.ts';
import { CliError, EXIT } from './exit-codes.ts';

it.each([
  ['a refused configuration', new ConfigError(['BIND_PORT: x']), EXIT.usage],
  ['a misconfigured embedder', new EmbedderError('configuration', 'set EMBED_MODEL'), EXIT.usage],
  ['a chat model’s address that cannot be used', new BaseUrlError('GATE_URL'), EXIT.usage],
  ['a dead embedder', new EmbedderError('unreachable', 'no answer'), EXIT.failed],
  ['a malformed path', new AppError('invalid_path', 'no'), EXIT.usage],
  ['an index that is not there', new AppError('not_ready', 'wait'), EXIT.failed],
  ['an index in use', new WriterLockedError('/data', null), EXIT.failed],
  ['a port in use', new ListenError('in use'), EXIT.failed],
  ['a command’s own refusal', new CliError(EXIT.findings, 'look'), EXIT.findings],
  ['a defect', new TypeError('x is undefined'), EXIT.failed],
  ['something that is no error', 'oops', EXIT.failed],
])('%s ends with its own code', (_what, thrown, exitCode) => {
  expect(endingOf(thrown).exitCode).toBe(exitCode);
});

it('tells a defect in one line and where to look', () => {
  const error = new Error('first line\n    at somewhere');
  expect(endingOf(error).message).toBe('Unexpected: first line (run again with --verbose for details)');
});
