/** The command line as a whole: every command, and how help and version read. Builds only; runs nothing. */
import { Command } from 'commander';
import { doctorCommand } from './commands/doctor.ts';
import { keyCommand } from './commands/key.ts';
import { mcpCommand } from './commands/mcp.ts';
import { reindexCommand } from './commands/reindex.ts';
import { searchCommand } from './commands/search.ts';
import { serveCommand } from './commands/serve.ts';
import { watchCommand } from './commands/watch.ts';
import { EXIT_CODE_HELP, type ExitCode } from './exit-codes.ts';

const COMMANDS = [
  serveCommand,
  searchCommand,
  reindexCommand,
  doctorCommand,
  watchCommand,
  keyCommand,
  mcpCommand,
] as const;

/**
 * @param version shown by --version
 * @param setExitCode told by each command how it ended
 */
export function buildProgram(version: string, setExitCode: (code: ExitCode) => void): Command {
  const program = new Command('vault-mcp')
    .description('Serve a folder of notes to agents and automations, on your own machine.')
    .version(version)
    .showHelpAfterError('(--help shows what there is)')
    .addHelpText('after', EXIT_CODE_HELP);
  for (const make of COMMANDS) program.addCommand(make(setExitCode));
  for (const command of [program, ...program.commands]) command.exitOverride();
  return program;
}
