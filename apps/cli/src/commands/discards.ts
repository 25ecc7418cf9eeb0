/**
 * `vault-mcp discards`: what was proposed and is in no note. Reads the log in the vault itself, also while a server writes
 * it; what is restored goes through the running server's gate, if there is one. Danger: all of it is text that others sent, so it reaches a terminal only with its control characters made visible.
 */
import { OPERATOR } from '@vault-mcp/api/audited-call';
import { parseInput } from '@vault-mcp/api/operations/input';
import { type DiscardList, listDiscards, MAX_DISCARDS } from '@vault-mcp/api/operations/list-discards';
import { type RestoreAnswer, restoreDiscard, restoreDiscardInput } from '@vault-mcp/api/operations/restore-discard';
import { showDiscard } from '@vault-mcp/api/operations/show-discard';
import { discardsText, discardText } from '@vault-mcp/api/rendering/discards-text';
import { DiscardFiles } from '@vault-mcp/shared/records/discard-files';
import { DiscardReads } from '@vault-mcp/shared/records/discard-reads';
import { openVault } from '@vault-mcp/shared/vault/vault';
import { type Command, InvalidArgumentError } from 'commander';
import { audited } from '../audited-command.ts';
import { commandLog } from '../command-log.ts';
import { EXIT, EXIT_CODE_HELP, type ExitCode } from '../exit-codes.ts';
import { type CommonOptions, wholeNumber, withCommonOptions, withLexicalOption } from '../options.ts';
import { answer } from '../output.ts';
import { settlePlace } from '../place.ts';
import { needsPerson, restoredText } from '../restored-text.ts';
import { connectToServer } from '../server-client.ts';
import { withContext } from '../with-context.ts';

/** Entries shown when nobody says how many: a screen's worth. */
const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100_000;

interface ListOptions extends CommonOptions {
  readonly limit: number;
}

interface RestoreOptions extends CommonOptions {
  readonly token?: string;
  readonly decision?: object;
  readonly again?: boolean;
}

/** Adds commands of its own to the command of the table. */
export function define(command: Command, setExitCode: (code: ExitCode) => void): void {
  const list = command
    .command('list')
    .description('the newest first, each on a line')
    .option('-n, --limit <number>', 'how many', wholeNumber(1, MAX_LIMIT), DEFAULT_LIMIT)
    .addHelpText('after', EXIT_CODE_HELP);
  withCommonOptions(list).action(async (options: ListOptions) => setExitCode(await showList(options)));
  const show = command
    .command('show')
    .description('one of them whole')
    .argument('<number>', 'its number', wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .addHelpText('after', EXIT_CODE_HELP);
  withCommonOptions(show).action(async (n: number, options: CommonOptions) => setExitCode(await showOne(n, options)));
  const restore = command
    .command('restore')
    .description('have one proposed again')
    .argument('<number>', 'its number', wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .option('--token <token>', 'of the answer that showed similar notes')
    .option('--decision <json>', 'what is to become of it, such as {"action": "create"}', json)
    .option('--again', 'also what was restored before')
    .addHelpText('after', EXIT_CODE_HELP);
  withLexicalOption(withCommonOptions(restore), 'for an index of words only');
  restore.action(async (n: number, options: RestoreOptions) => setExitCode(await restoreOne(n, options)));
}

function json(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Said below.
  }
  throw new InvalidArgumentError('It must be JSON, such as {"action": "create"}.');
}

async function showList(options: ListOptions): Promise<ExitCode> {
  const { limit } = options;
  const list = await reading(options, { operation: 'list-discards', args: { limit } }, (discards) =>
    firstOf(discards, limit),
  );
  answer(options.json, list, () => discardsText(list, `--limit ${Math.min(2 * limit, MAX_LIMIT)}`));
  return list.damaged > 0 ? EXIT.findings : EXIT.ok;
}

async function showOne(n: number, options: CommonOptions): Promise<ExitCode> {
  const discard = await reading(options, { operation: 'show-discard', args: { n } }, (discards) =>
    showDiscard({ discards }, { n }),
  );
  answer(options.json, discard, () => discardText(discard));
  return EXIT.ok;
}

async function restoreOne(n: number, options: RestoreOptions): Promise<ExitCode> {
  const { config } = settlePlace(options, 'use-example');
  const { token, decision, again } = options;
  const how = { ...(token !== undefined && { token }), ...(decision && { decision }), ...(again && { again }) };
  const client = await connectToServer(config);
  const restored = client === undefined ? await restoreHere() : await client.restoreDiscard(n, how);
  answer(options.json, restored, () => restoredText(restored));
  return needsPerson(restored) ? EXIT.findings : EXIT.ok;

  function restoreHere(): Promise<RestoreAnswer> {
    const log = commandLog(config, options);
    const args = { n, ...how };
    const input = parseInput(restoreDiscardInput, args);
    return audited(config, log, { operation: 'restore-discard', args }, () =>
      withContext(config, log, (context) => restoreDiscard(context, input, { agent: OPERATOR })),
    );
  }
}

/** Page after page, as one list. */
async function firstOf(discards: DiscardReads, limit: number): Promise<DiscardList> {
  const entries: DiscardList['entries'][number][] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await listDiscards({ discards }, { limit: Math.min(limit - entries.length, MAX_DISCARDS), cursor });
    entries.push(...page.entries);
    if (page.next_cursor === null || entries.length >= limit) return { ...page, entries };
    cursor = page.next_cursor;
  }
}

async function reading<T>(
  options: CommonOptions,
  call: { readonly operation: string; readonly args: unknown },
  read: (discards: DiscardReads) => Promise<T>,
): Promise<T> {
  const { config } = settlePlace(options, 'use-example');
  const log = commandLog(config, options);
  const vault = await openVault(config.vault.path, { docSuffixes: config.vault.doc_suffixes });
  return audited(config, log, call, () => read(new DiscardReads(vault, new DiscardFiles(), log)));
}
