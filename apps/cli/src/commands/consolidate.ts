/**
 * `vault-mcp consolidate`: finds notes that say nearly the same and, with --write, makes each group of them one note; through the
 * running server, if there is one. Danger: without --write nothing may change; and a run that ends early has written what it had
 * come to, which the answer, or a look afterwards, has to show.
 */
import { readFileSync } from 'node:fs';
import { OPERATOR } from '@vault-mcp/api/audited-call';
import { type ConsolidateAnswer, consolidate, consolidateInput } from '@vault-mcp/api/operations/consolidate';
import { parseInput } from '@vault-mcp/api/operations/input';
import { consolidationText, needsPerson } from '@vault-mcp/api/rendering/consolidation-text';
import type { Config } from '@vault-mcp/shared/config/schema';
import { reasonOf } from '@vault-mcp/shared/log';
import { type Command, InvalidArgumentError } from 'commander';
import { audited } from '../audited-command.ts';
import { commandLog } from '../command-log.ts';
import { CliError, EXIT, type ExitCode } from '../exit-codes.ts';
import { type CommonOptions, wholeNumber, withCommonOptions, withLexicalOption } from '../options.ts';
import { answer } from '../output.ts';
import { settlePlace } from '../place.ts';
import { connectToServer } from '../server-client.ts';
import { withContext } from '../with-context.ts';

interface ConsolidateOptions extends CommonOptions {
  readonly ceiling: number;
  readonly cap?: number;
  readonly write?: boolean;
  readonly merges?: string;
}

/** Adds options and action to the command of the table. */
export function define(command: Command, setExitCode: (code: ExitCode) => void): void {
  command
    .requiredOption(
      '--ceiling <distance>',
      'cosine distance within which all notes of a cluster are: 0.1 is strict',
      distance,
    )
    .option('--cap <number>', 'clusters that the chat model is asked about (default: 5)', wholeNumber(1, 50))
    .option('--write', 'make each cluster one note; without it nothing is changed')
    .option(
      '--merges <file>',
      'merged notes that you have written: JSON, a list of {members, title, body, type?}; members as --json lists them',
    );
  withLexicalOption(withCommonOptions(command), 'for an index of words only');
  command.action(async (options: ConsolidateOptions) => setExitCode(await consolidateNotes(options)));
}

function distance(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value > 0 && value <= 1) return value;
  throw new InvalidArgumentError('It must be a number above 0, and 1 at most.');
}

async function consolidateNotes(options: ConsolidateOptions): Promise<ExitCode> {
  const { ceiling, cap, write, merges } = options;
  // Before anything is looked at: what a server would refuse is refused here alike.
  const input = parseInput(consolidateInput, {
    ...{ ceiling, ...(cap !== undefined && { cap }), ...(write && { write }) },
    ...(merges !== undefined && { merges: mergesIn(merges) }),
  });
  const { config } = settlePlace(options, 'use-example');
  const client = await connectToServer(config);
  if (client !== undefined && options.lexical === true) {
    const message = `A server runs at ${client.url} and its embedder decides; stop it or leave out --lexical.`;
    throw new CliError(EXIT.usage, message);
  }
  const found = client === undefined ? await consolidateHere(config, options, input) : await client.consolidate(input);
  answer(options.json, found, () => consolidationText(found, 'cli'));
  return needsPerson(found) ? EXIT.findings : EXIT.ok;
}

function consolidateHere(
  config: Config,
  options: CommonOptions,
  input: Parameters<typeof consolidate>[1],
): Promise<ConsolidateAnswer> {
  const log = commandLog(config, options);
  return audited(config, log, { operation: 'consolidate', args: input }, () =>
    withContext(config, log, (context) => consolidate(context, input, { agent: OPERATOR })),
  );
}

/** @throws CliError for a file that cannot be read, or holds no JSON */
function mergesIn(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new CliError(EXIT.usage, `The merges cannot be taken from ${path}: ${reasonOf(error)}`, { cause: error });
  }
}
