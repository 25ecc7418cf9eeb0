/**
 * What a program that could not start ends with: a number that whoever starts it can act on, the same as the command
 * line's, and one plain line a person can. Danger: a container that is restarted for ever on a wrong setting hides it,
 * so that must be told apart from what another try may mend.
 */
import { inspect } from 'node:util';
import { ConfigError } from './config/load.ts';
import { EmbedderError } from './embedding/embedder.ts';
import { WriterLockedError } from './index-db/writer-lock.ts';
import { AgentKeysError } from './records/agent-keys.ts';
import { RecordOpenError } from './records/record-open-error.ts';
import { BaseUrlError } from './remote/base-url.ts';
import { OthersAtWorkError } from './vault/lock-owner.ts';
import { MountError } from './vault/mount-probe.ts';
import { VaultOpenError } from './vault/vault.ts';

export interface ProgramEnd {
  /** 2: the configuration is wrong, and will be at the next start. 3: it could not run. */
  readonly exitCode: 2 | 3;
  /** One line where the reason is known; anything else is a defect and keeps its stack. */
  readonly text: string;
}

/** @param plain errors of the program's own whose message is one plain line */
export function programEndOf(error: unknown, plain: readonly (new (...args: never[]) => Error)[] = []): ProgramEnd {
  if (error instanceof ConfigError && error.problems.length === 1) {
    return { exitCode: 2, text: `The configuration cannot be used: ${error.problems[0]}` };
  }
  const misconfigured =
    error instanceof ConfigError ||
    error instanceof VaultOpenError ||
    error instanceof AgentKeysError ||
    error instanceof BaseUrlError ||
    (error instanceof EmbedderError && error.kind === 'configuration');
  const known =
    misconfigured ||
    [EmbedderError, MountError, WriterLockedError, OthersAtWorkError, RecordOpenError, ...plain].some(
      (kind) => error instanceof kind,
    );
  return { exitCode: misconfigured ? 2 : 3, text: known ? (error as Error).message : inspect(error) };
}
