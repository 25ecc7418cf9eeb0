/**
 * `vault-mcp mcp`: the same tools over standard input and output, for clients that start their servers themselves.
 * Danger: standard output carries the protocol and nothing else. Several clients may each start one: the first that
 * gets the writer's lock keeps the index up to date, the others read it and take over when it ends.
 */

import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { describeProgram } from '@vault-mcp/api/about';
import { OPERATOR } from '@vault-mcp/api/audited-call';
import { contextUnder } from '@vault-mcp/api/callers';
import { createMcpServerFactory } from '@vault-mcp/api/mcp/server';
import { createMetrics } from '@vault-mcp/api/metrics';
import { createLogger } from '@vault-mcp/shared/log';
import type { Command } from 'commander';
import { type AgentOptions, accessOf, withAgentOption } from '../acting-agent.ts';
import { openEmbedded } from '../embedded.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { type CommonOptions, withCommonOptions, withLexicalOption } from '../options.ts';
import { settlePlace } from '../place.ts';
import { listenForStop } from '../stop-signal.ts';

const JOBS_MS = 3_000;

type McpOptions = CommonOptions & AgentOptions;

/** Adds options and action to the command of the table. */
export function define(command: Command, setExitCode: (code: ExitCode) => void): void {
  withLexicalOption(withAgentOption(withCommonOptions(command)), 'search by words only, without an embedder');
  command.action(async (options: McpOptions) => setExitCode(await speakMcp(options)));
}

async function speakMcp(options: McpOptions): Promise<ExitCode> {
  const about = describeProgram(Date.now());
  const stop = listenForStop();
  // Clients show what a server writes to standard error: only what matters, unless asked for more.
  const { config } = settlePlace(options, 'use-example', 'warn');
  const access = accessOf(config, options);
  const log = createLogger({ name: 'mcp', level: config.log.level });
  const embedded = await openEmbedded(config, log, { whenLocked: 'wait' });
  const { context } = embedded;
  const deps = { config, log, version: about.version, metrics: createMetrics() };
  const { agent } = options;
  const caller = {
    request: agent === undefined ? { agent: OPERATOR } : { agent, byOperator: true },
    context: contextUnder(context, access),
    isOperator: agent === undefined,
  };
  const factory = createMcpServerFactory(deps, () => caller);
  const connection = serveStdio(factory, { onerror: (error) => log.warn({ err: error }, 'mcp message refused') });
  const hungUp = new Promise<void>((resolve) => {
    for (const event of ['end', 'close'] as const) process.stdin.once(event, () => resolve());
  });
  await Promise.race([stop.requested, hungUp]);
  await connection.close();
  await embedded.close({ timeoutMs: JOBS_MS });
  return EXIT.ok;
}
