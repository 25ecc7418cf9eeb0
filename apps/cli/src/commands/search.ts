/**
 * `vault-mcp search`: asks the running server, else the index in the data folder, which a first search builds. Danger:
 * it never changes which embedder the index belongs to; `--lexical` only leaves the meaning out.
 */

import { type FoundAnswer, search as runSearch, type searchInput } from '@vault-mcp/api/operations/search';
import { searchText } from '@vault-mcp/api/rendering/search-text';
import { createAnalyzer } from '@vault-mcp/shared/analysis/analyzer';
import type { Config } from '@vault-mcp/shared/config/schema';
import { createEmbedder } from '@vault-mcp/shared/embedding/choose';
import { AppError } from '@vault-mcp/shared/errors';
import { openIndexReader } from '@vault-mcp/shared/index-db/reader';
import type { Logger } from '@vault-mcp/shared/log';
import { createInMemoryQueue } from '@vault-mcp/shared/queue/in-memory';
import type { Access } from '@vault-mcp/shared/vault/access';
import { openVault } from '@vault-mcp/shared/vault/vault';
import { viewOf } from '@vault-mcp/shared/vault/view';
import { type Command, Option } from 'commander';
import type { z } from 'zod';
import { type AgentOptions, accessOf, withAgentOption } from '../acting-agent.ts';
import { audited } from '../audited-command.ts';
import { buildLocally } from '../build-index.ts';
import { commandLog } from '../command-log.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { type CommonOptions, wholeNumber, withCommonOptions, withLexicalOption } from '../options.ts';
import { answer } from '../output.ts';
import { settlePlace } from '../place.ts';
import { connectToServer } from '../server-client.ts';
import { listenForStop } from '../stop-signal.ts';

type SearchInput = z.infer<typeof searchInput>;

interface SearchOptions extends CommonOptions, AgentOptions {
  readonly k?: number;
  readonly prefix?: string;
  readonly type?: string;
  readonly tag?: string;
  readonly kind?: 'note' | 'document';
  readonly includeSuperseded?: boolean;
  readonly explain?: boolean;
  readonly sync?: boolean;
}

/** Adds options and action to the command of the table. */
export function define(command: Command, setExitCode: (code: ExitCode) => void): void {
  command
    .argument('<query...>', 'words, a question, or an identifier as it is written')
    .option('-k <number>', 'how many results (at most 20)', wholeNumber(1, 1_000))
    .option('--prefix <path>', 'only this folder or note')
    .option('--type <type>', 'only notes whose frontmatter type is this')
    .option('--tag <tag>', 'only notes with this tag')
    .addOption(new Option('--kind <kind>', 'only notes, or only documents').choices(['note', 'document']))
    .option('--include-superseded', 'also notes that another note has replaced')
    .option('--explain', 'say how each result came to its place')
    .option('--sync', 'bring the index up to date first (a running server does so by itself)');
  withLexicalOption(withAgentOption(withCommonOptions(command)), 'by words only, without an embedder');
  command.action(async (words: string[], options: SearchOptions) => {
    setExitCode(await search(words.join(' '), options));
  });
}

async function search(query: string, options: SearchOptions): Promise<ExitCode> {
  const { config } = settlePlace(options, 'use-example');
  const access = accessOf(config, options);
  const client = await connectToServer(config, options.agent);
  const input = inputOf(query, options);
  const found =
    client === undefined || options.lexical === true
      ? await searchHere({ config, access }, input, options, client === undefined)
      : await client.search(requestOf(input));
  answer(options.json, found, () => searchText(found) + (options.explain === true ? explanation(found) : ''));
  return found.results.length === 0 ? EXIT.findings : EXIT.ok;
}

/** Which vault, and what of it may be read. */
interface Asked {
  readonly config: Config;
  readonly access: Access;
}

async function searchHere(asked: Asked, input: SearchInput, options: SearchOptions, mayBuild: boolean) {
  const log = commandLog(asked.config, options);
  const call = { operation: 'search', args: input, agent: options.agent };
  return audited(asked.config, log, call, () => searchOrBuild(asked, log, input, options, mayBuild));
}

async function searchOrBuild(
  asked: Asked,
  log: Logger,
  input: SearchInput,
  options: SearchOptions,
  mayBuild: boolean,
): Promise<FoundAnswer> {
  const ask = () => searchIndex(asked, log, input, options.lexical === true);
  const build = () => {
    const { signal } = listenForStop();
    return buildLocally(asked.config, log, { rebuild: false, until: 'text', signal }, () => undefined);
  };
  if (!mayBuild) return ask();
  if (options.sync === true) {
    await build();
    return ask();
  }
  try {
    return await ask();
  } catch (error) {
    // No index yet, one of another version, or a damaged one: nobody else is there to make it.
    if (!(error instanceof AppError) || error.code !== 'not_ready') throw error;
    await build();
    return ask();
  }
}

async function searchIndex(
  { config, access }: Asked,
  log: Logger,
  input: SearchInput,
  lexical: boolean,
): Promise<FoundAnswer> {
  const whole = await openVault(config.vault.path, { docSuffixes: config.vault.doc_suffixes });
  const vault = viewOf(whole, access);
  const embedder = lexical
    ? null
    : await createEmbedder(config.embedding, { logger: log, queryTimeoutSeconds: config.search.embed_timeout_seconds });
  const reader = openIndexReader(config.index.path);
  const queue = createInMemoryQueue();
  try {
    const analyzer = createAnalyzer(config.search.language);
    // Nothing is run of the vault's, so nothing has to be kept from it.
    return await runSearch({ config, log, vault, reader, analyzer, embedder, queue, settingFiles: [] }, input);
  } finally {
    reader.close();
    await queue.close();
    await embedder?.close();
  }
}

function inputOf(query: string, options: SearchOptions): SearchInput {
  const { k, prefix, type, tag, kind, includeSuperseded, explain } = options;
  return {
    query,
    ...(k === undefined ? {} : { k }),
    ...(prefix === undefined ? {} : { prefix }),
    ...(type === undefined ? {} : { type }),
    ...(tag === undefined ? {} : { tag }),
    ...(kind === undefined ? {} : { kind }),
    ...(includeSuperseded === true ? { include_superseded: true } : {}),
    ...(explain === true ? { explain: true } : {}),
  };
}

/** The same question as a body, where the query goes by `q`. */
function requestOf({ query, ...rest }: SearchInput): object {
  return { q: query, ...rest };
}

function explanation({ results, explain }: FoundAnswer): string {
  const lines = results.map(({ explain: why }, index) => `[${index + 1}] ${JSON.stringify(why)}`);
  return `\n${[...lines, JSON.stringify(explain)].join('\n')}\n`;
}
