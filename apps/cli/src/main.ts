#!/usr/bin/env node
/**
 * `vault-mcp`. Runs one command and ends with its exit code; whatever goes wrong is one plain line. Danger: a stack on
 * the terminal helps nobody who can act on it, so it is shown only with --verbose.
 */
import { describeProgram } from '@vault-mcp/api/about';
import { endingOf } from './exit-codes.ts';
import { buildProgram } from './program.ts';

/** After a command has ended, something still open (a socket of an impatient client) may not keep the process. */
const LINGER_MS = 1_000;

process.exitCode = await run();
setTimeout(() => process.exit(), LINGER_MS).unref();

async function run(): Promise<number> {
  let exitCode = 0;
  const program = buildProgram(describeProgram(Date.now()).version, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync();
    return exitCode;
  } catch (thrown) {
    const ending = endingOf(thrown);
    if (ending.message !== undefined) process.stderr.write(`vault-mcp: ${ending.message}\n`);
    if (process.argv.includes('--verbose') && ending.message !== undefined) console.error(thrown);
    return ending.exitCode;
  }
}
