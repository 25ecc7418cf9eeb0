/**
 * `vault-mcp key`: shows the key of this vault's embedded server with what to paste into a client, or makes a new one.
 * Danger: the key is printed in full, since showing it is the point; nothing else ever prints it.
 */
import type { Command } from 'commander';
import { exampleAgent } from '../acting-agent.ts';
import { apiKeyPath, keyOf, makeKey, rotateKey } from '../api-key.ts';
import { clientSnippet } from '../client-snippet.ts';
import { CliError, EXIT, type ExitCode } from '../exit-codes.ts';
import { type CommonOptions, withCommonOptions } from '../options.ts';
import { answer, remark } from '../output.ts';
import { settlePlace } from '../place.ts';
import { findRunningServer } from '../server-json.ts';
import { defineAgentKeys } from './agent-key.ts';

interface KeyOptions extends CommonOptions {
  readonly rotate?: boolean;
}

/** Adds options and action to the command of the table. */
export function define(command: Command, setExitCode: (code: ExitCode) => void): void {
  command.option('--rotate', 'make a new key; a running server takes it at its next start');
  withCommonOptions(command).action(async (options: KeyOptions) => setExitCode(await showKey(options)));
  defineAgentKeys(command, setExitCode);
}

async function showKey(options: KeyOptions): Promise<ExitCode> {
  const { config } = settlePlace(options, 'use-example');
  if (options.rotate === true && config.server.api_key !== null) {
    throw new CliError(EXIT.usage, 'The key comes from VAULT_MCP_API_KEY; change it there.');
  }
  const { data, server } = config;
  const running = await findRunningServer(data.path);
  const key = options.rotate === true ? rotateKey(data.path) : (keyOf(config) ?? makeKey(data.path));
  const url = running?.url ?? `http://${server.host}:${server.port}`;
  const file = key.source === 'environment' ? null : apiKeyPath(data.path);
  answer(options.json, { key: key.value, source: key.source, file, url }, () =>
    [
      `Key: ${key.value}`,
      file === null ? 'From VAULT_MCP_API_KEY.' : `Kept in ${file}`,
      '',
      clientSnippet(url, key.value, exampleAgent(config)),
    ].join('\n'),
  );
  if (options.rotate === true && running !== undefined) {
    remark(`The server at ${running.url} still uses the old key until it is restarted.`);
  }
  return EXIT.ok;
}
