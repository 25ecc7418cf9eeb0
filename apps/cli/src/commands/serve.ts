/**
 * `vault-mcp serve`: the whole product in one process, without Redis, Docker or Ollama. Composition and life cycle
 * only. Danger: everything opened must be closed within ten seconds of a stop signal, the record of the running server
 * included, or other commands would call a server that is gone.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { describeProgram } from '@vault-mcp/api/about';
import { newNonce } from '@vault-mcp/api/http/instance-proof';
import { type About, readStatus } from '@vault-mcp/api/operations/status';
import { listen, type RunningServer } from '@vault-mcp/api/serve';
import { startApi } from '@vault-mcp/api/start-api';
import type { Config } from '@vault-mcp/shared/config/schema';
import { createLogger, type Logger } from '@vault-mcp/shared/log';
import type { Command } from 'commander';
import { exampleAgent } from '../acting-agent.ts';
import { announceIndex } from '../announce-index.ts';
import { type ApiKey, apiKeyPath, keyToServeWith, refuseUnchosenKey } from '../api-key.ts';
import { clientSnippet } from '../client-snippet.ts';
import { documentsProgress } from '../documents-progress.ts';
import { type Embedded, openEmbedded } from '../embedded.ts';
import { CliError, EXIT, type ExitCode } from '../exit-codes.ts';
import { type CommonOptions, wholeNumber, withCommonOptions, withLexicalOption } from '../options.ts';
import { answer, remark } from '../output.ts';
import { type Place, settlePlace } from '../place.ts';
import { createProgress } from '../progress.ts';
import { progressOf } from '../server-client.ts';
import { findRunningServer, removeServerRecord, writeServerRecord } from '../server-json.ts';
import { listenForStop } from '../stop-signal.ts';

/** Together under the ten seconds that a stop may take. */
const REQUESTS_MS = 5_000;
const JOBS_MS = 3_000;

/** Adds options and action to the command of the table. */
export function define(command: Command, setExitCode: (code: ExitCode) => void): void {
  command
    .option('--host <host>', 'address to listen on (default 127.0.0.1)')
    .option('--port <port>', 'port to listen on (default 8080; 0 = any free one)', wholeNumber(0, 65_535))
    .addHelpText('after', '\nWithout --vault a copy of the example vault is served.');
  withLexicalOption(withCommonOptions(command), 'search by words only, without an embedder');
  command.action(async (options: CommonOptions) => setExitCode(await serve(options)));
}

async function serve(options: CommonOptions): Promise<ExitCode> {
  const startedAt = Date.now();
  const stop = listenForStop();
  // At a terminal the lines below say what matters, and only a warning adds to them; a log file gets every request.
  const place = settlePlace(options, 'make-example', process.stderr.isTTY ? 'warn' : 'info');
  const config = answeringItsOwnHost(place.config);
  await refuseSecondServer(config);
  const log = createLogger({ name: 'serve', level: config.log.level });
  const about = describeProgram(startedAt);
  const { key, embedded, server, secret } = await start(config, log, about);
  writeServerRecord(config.data.path, { url: server.url, pid: process.pid, secret });
  announce(place, server, key, options);
  if (process.stderr.isTTY) {
    const read = async () => ({
      ...progressOf(await readStatus(embedded.context, about)),
      documents: documentsProgress(embedded.context.reader),
    });
    void announceIndex({ read, progress: createProgress(), say: remark, signal: stop.signal });
  }

  await stop.requested;
  log.info({ signal: stop.signal.reason }, 'stopping');
  if (process.stderr.isTTY) remark('Finishing what is in hand; Ctrl-C again stops at once.');
  removeServerRecord(config.data.path, process.pid);
  // Requests first: they may still hand jobs to the indexer.
  await Promise.race([server.close(), sleep(REQUESTS_MS)]);
  await embedded.close({ timeoutMs: JOBS_MS });
  return EXIT.ok;
}

interface Started {
  readonly key: ApiKey;
  readonly embedded: Embedded;
  readonly server: RunningServer;
  readonly secret: string;
}

/** The address first: no key is made and nothing is indexed for a server that cannot be. */
async function start(config: Config, log: Logger, about: About): Promise<Started> {
  refuseUnchosenKey(config);
  const { host, port } = config.server;
  const listening = await listen({ host, port, log });
  let embedded: Embedded | undefined;
  try {
    const key = keyToServeWith(config);
    const secret = newNonce();
    embedded = await openEmbedded(config, log, { whenLocked: 'refuse' });
    const server = await startApi(embedded.context, { apiKey: key.value, about, listening, instanceSecret: secret });
    return { key, embedded, server, secret };
  } catch (error) {
    await listening.close();
    await embedded?.close({ timeoutMs: JOBS_MS });
    throw error;
  }
}

async function refuseSecondServer(config: Config): Promise<void> {
  const running = await findRunningServer(config.data.path);
  if (running === undefined) return;
  throw new CliError(EXIT.failed, `This vault is served already, at ${running.url} by process ${running.pid}.`);
}

/** Who is told to listen on an address is also told to answer to it. */
function answeringItsOwnHost(config: Config): Config {
  const { host, allowed_hosts } = config.server;
  const own = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  if (own === '0.0.0.0' || own === '[::]' || allowed_hosts.includes(own)) return config;
  return { ...config, server: { ...config.server, allowed_hosts: [...allowed_hosts, own] } };
}

function announce({ config, example }: Place, server: RunningServer, key: ApiKey, options: CommonOptions): void {
  const facts = {
    url: server.url,
    mcp: `${server.url}/mcp`,
    vault: config.vault.path,
    data: config.data.path,
    pid: process.pid,
    key_file: key.source === 'environment' ? null : apiKeyPath(config.data.path),
    ...(key.source === 'made' ? { key: key.value } : {}),
  };
  answer(options.json, facts, () =>
    [
      `Serving ${facts.vault}`,
      `  REST  ${facts.url}`,
      `  MCP   ${facts.mcp}`,
      `  Data  ${facts.data}`,
      ...(example
        ? ['', 'Nobody named a vault, so this is a copy of the example. Yours: npm start -- --vault DIR']
        : []),
      '',
      ...keyLines(server.url, key, example ? '' : ` --vault ${shellWord(facts.vault)}`, exampleAgent(config)),
      'Stop with Ctrl-C.',
    ].join('\n'),
  );
}

/**
 * @param which options that make `key` mean this vault
 * @param agent in whose name the key calls, where there is a policy
 */
function keyLines(url: string, key: ApiKey, which: string, agent: string | undefined): string[] {
  const command = `npx vault-mcp key${which}`;
  if (key.source === 'environment') return ['The key is the one in VAULT_MCP_API_KEY.'];
  if (key.source === 'stored')
    return ['The key is the one made at the first start; this shows it:', '', `  ${command}`, ''];
  return [
    `A key was made for this vault (shown once; ${command} shows it again): ${key.value}`,
    '',
    clientSnippet(url, key.value, agent),
  ];
}

/** A path as one word of a POSIX shell. */
function shellWord(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
