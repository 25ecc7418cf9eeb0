/** The options that several commands share, declared once so that they read and behave the same everywhere. */
import { type Command, InvalidArgumentError, Option } from 'commander';

/** Which vault, which data folder, and how to speak. */
export interface CommonOptions {
  readonly vault?: string;
  readonly data?: string;
  readonly json?: boolean;
  readonly verbose?: boolean;
  readonly lexical?: boolean;
  readonly host?: string;
  readonly port?: number;
}

/** `--vault`, `--data`, `--json`, `--verbose`. */
export function withCommonOptions(command: Command): Command {
  return command
    .option('--vault <dir>', 'folder of notes (also VAULT_PATH)')
    .option('--data <dir>', 'folder for index, cache and key (also DATA_PATH)')
    .option('--json', 'answer in JSON on standard output')
    .option('--verbose', 'log to standard error');
}

/** `--lexical`: words only, for machines or moments without an embedder. */
export function withLexicalOption(command: Command, meaning: string): Command {
  return command.addOption(new Option('--lexical', meaning));
}

/** A whole number in a range, refused in commander's words otherwise. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    }
    return value;
  };
}

/** The options as configuration overrides. */
export function overridesOf(options: CommonOptions): Record<string, unknown> {
  return {
    ...(options.vault === undefined ? {} : { 'vault.path': options.vault }),
    ...(options.data === undefined ? {} : { 'data.path': options.data }),
    ...(options.host === undefined ? {} : { 'server.host': options.host }),
    ...(options.port === undefined ? {} : { 'server.port': options.port }),
    // Also for the indexer's thread, which is handed the configuration and nothing else.
    ...(options.verbose === true ? { 'log.level': 'debug' } : {}),
    ...(options.lexical === true ? { 'embedding.provider': 'lexical' } : {}),
  };
}
