/**
 * What a thrown error means for a command: an exit code a script can act on and one plain line a person can. Danger:
 * it knows the errors of every part, so it loads them all; main.ts asks for it only when something was thrown.
 */
import { ListenError } from '@vault-mcp/api/serve';
import { ConfigError } from '@vault-mcp/shared/config/load';
import { EmbedderError } from '@vault-mcp/shared/embedding/embedder';
import { AppError } from '@vault-mcp/shared/errors';
import { WriterLockedError } from '@vault-mcp/shared/index-db/writer-lock';
import { AgentKeysError } from '@vault-mcp/shared/records/agent-keys';
import { BackupError } from '@vault-mcp/shared/records/backup-error';
import { RecordOpenError } from '@vault-mcp/shared/records/record-open-error';
import { BaseUrlError } from '@vault-mcp/shared/remote/base-url';
import { OthersAtWorkError } from '@vault-mcp/shared/vault/lock-owner';
import { MountError } from '@vault-mcp/shared/vault/mount-probe';
import { CliError, EXIT, type ExitCode } from './exit-codes.ts';

/** Errors a caller can cause with a wrong path or value: the call is at fault, not the run. */
const USAGE_CODES = new Set(['invalid_path', 'invalid_request', 'invalid_value', 'not_a_directory', 'is_directory']);

/** Errors of the parts whose message is one plain line. */
const PLAIN = [WriterLockedError, ListenError, MountError, RecordOpenError, BackupError, OthersAtWorkError];

/** Errors of what somebody set. */
const MISCONFIGURED = [ConfigError, BaseUrlError, AgentKeysError];

/** What to end with after `thrown`, and what to say. */
export function endingOf(thrown: unknown): { exitCode: ExitCode; message: string } {
  if (thrown instanceof CliError) return { exitCode: thrown.exitCode, message: thrown.message };
  if (MISCONFIGURED.some((kind) => thrown instanceof kind)) {
    return { exitCode: EXIT.usage, message: (thrown as Error).message };
  }
  if (thrown instanceof EmbedderError) {
    return { exitCode: thrown.kind === 'configuration' ? EXIT.usage : EXIT.failed, message: thrown.message };
  }
  if (thrown instanceof AppError) {
    return { exitCode: USAGE_CODES.has(thrown.code) ? EXIT.usage : EXIT.failed, message: thrown.message };
  }
  if (PLAIN.some((kind) => thrown instanceof kind)) {
    return { exitCode: EXIT.failed, message: (thrown as Error).message };
  }
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return {
    exitCode: EXIT.failed,
    message: `Unexpected: ${reason.split('\n')[0]} (run again with --verbose for details)`,
  };
}
