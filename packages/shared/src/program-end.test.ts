import { describe, expect, it } from 'vitest';
import { ConfigError } from './config/load.ts';
import { EmbedderError } from './embedding/embedder.ts';
import { programEndOf } from './program-end.ts';
import { AgentKeysError } from './records/agent-keys.ts';
import { RecordOpenError } from './records/record-open-error.ts';
import { BaseUrlError } from './remote/base-url.ts';
import { MountError } from './vault/mount-probe.ts';
import { VaultOpenError } from './vault/vault.ts';

class OwnError extends Error {}

describe('the end of a program that could not start', () => {
  it.each([
    ['one wrong setting', new ConfigError(['REDIS_URL is not set']), 2, /^The configuration.*REDIS_URL is not set$/],
    ['several', new ConfigError(['one', 'two']), 2, /one\n +two/],
    ['a vault that cannot be opened', new VaultOpenError('The vault is not there.'), 2, /^The vault is not there\.$/],
    ['an embedder set up wrongly', new EmbedderError('configuration', 'No such model.'), 2, /^No such model\.$/],
    ['an address that cannot be used', new BaseUrlError('GATE_URL is no URL.'), 2, /^GATE_URL is no URL\.$/],
    ["agents' keys that cannot be used", new AgentKeysError('They are damaged.'), 2, /^They are damaged\.$/],
    ['an embedder that is away', new EmbedderError('unreachable', 'It is away.'), 3, /^It is away\.$/],
    ['a record of a newer version', new RecordOpenError('It is newer.'), 3, /^It is newer\.$/],
    ['a folder closed to its user', new MountError('It is closed.'), 3, /^It is closed\.$/],
    ['an error of its own', new OwnError('The port is taken.'), 3, /^The port is taken\.$/],
    ['a defect', new TypeError('x is not a function'), 3, /^TypeError: x is not a function\n +at /],
  ])('tells %s apart', (_what, error, exitCode, text) => {
    expect(programEndOf(error, [OwnError])).toEqual({ exitCode, text: expect.stringMatching(text) });
  });
});
