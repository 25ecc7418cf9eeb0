#!/usr/bin/env node
/**
 * `vault-mcp`. Runs one command and ends with its exit code; whatever goes wrong is one plain line. Danger: a stack on
 * the terminal helps nobody who can act on it, so it is shown only with --verbose.
 */
import { describeProgram } from '@vault-mcp/api/about';
import { CommanderError } from 'commander';
import { EXIT } from './exit-codes.ts';
import { remark } from './output.ts';
import { buildProgram } from './program.ts';

/** After a command has ended, something still open (a socket of an impatient client) may not keep the process. */
const LINGER_MS = 1_000;

process.exitCode = await run(process.argv.slice(2));
setTimeout(() => process.exit(), LINGER_MS).unref();

async function run(args: readonly string[]): Promise<number> {
  let exitCode: number = EXIT.ok;
  try {
    const program = await buildProgram(args, describeProgram(Date.now()).version, (code) => {
      exitCode = code;
    });
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (thrown) {
    // commander has told the person already; help and version end with 0.
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? EXIT.ok : EXIT.usage;
    return report(thrown, args.includes('--verbose'));
  }
}

async function report(thrown: unknown, verbose: boolean): Promise<number> {
  const { endingOf } = await import('./ending.ts');
  const { exitCode, message } = endingOf(thrown);
  remark(`vault-mcp: ${message}`);
  if (verbose) console.error(thrown);
  return exitCode;
}
