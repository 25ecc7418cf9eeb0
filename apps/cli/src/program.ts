/**
 * The command line as a whole: the table of commands, and how help and version read. Runs nothing. Only the command
 * that is asked for is loaded, since each brings other parts of the product with it and help should answer at once.
 */
import { Command } from 'commander';
import { EXIT_CODE_HELP, type ExitCode } from './exit-codes.ts';

interface CommandModule {
  define(command: Command, setExitCode: (code: ExitCode) => void): void;
}

interface Entry {
  readonly description: string;
  readonly load: () => Promise<CommandModule>;
}

const COMMANDS: Readonly<Record<string, Entry>> = {
  serve: {
    description: 'serve a vault over REST and MCP, index it and follow its changes',
    load: () => import('./commands/serve.ts'),
  },
  search: {
    description: 'find passages by words and by meaning',
    load: () => import('./commands/search.ts'),
  },
  reindex: {
    description: 'bring the index up to date with the files (through the running server, if there is one)',
    load: () => import('./commands/reindex.ts'),
  },
  doctor: {
    description: 'check index, embedder and files, and say what needs you',
    load: () => import('./commands/doctor.ts'),
  },
  watch: {
    description: 'follow the vault and keep its index up to date, without serving it',
    load: () => import('./commands/watch.ts'),
  },
  key: {
    description: 'show the key of this vault’s server and how to use it',
    load: () => import('./commands/key.ts'),
  },
  audit: {
    description: 'show who called what, over every surface, and how it ended',
    load: () => import('./commands/audit.ts'),
  },
  gate: {
    description: 'calibrate: suggest ceilings for the write gate from this vault’s own notes',
    load: () => import('./commands/gate.ts'),
  },
  consolidate: {
    description: 'find notes that say nearly the same, and make each group one note (--write)',
    load: () => import('./commands/consolidate.ts'),
  },
  backup: {
    description: 'back up the records, which nothing can make again (not the notes); also while a server runs',
    load: () => import('./commands/backup.ts'),
  },
  restore: {
    description: 'put records back from a backup',
    load: () => import('./commands/restore.ts'),
  },
  discards: {
    description: 'list, show, restore: what was proposed and is in no note',
    load: () => import('./commands/discards.ts'),
  },
  mcp: {
    description: 'speak MCP on standard input and output (for clients that start servers themselves)',
    load: () => import('./commands/mcp.ts'),
  },
};

/**
 * @param args what the person typed after `vault-mcp`
 * @param version shown by --version
 * @param setExitCode told by the command how it ended
 */
export async function buildProgram(
  args: readonly string[],
  version: string,
  setExitCode: (code: ExitCode) => void,
): Promise<Command> {
  const program = new Command('vault-mcp')
    .description('Serve a folder of notes to agents and automations, on your own machine.')
    .version(version)
    .showHelpAfterError('(--help shows what there is)')
    .addHelpText('after', EXIT_CODE_HELP)
    .exitOverride();
  const wanted = new Set(args);
  for (const [name, { description, load }] of Object.entries(COMMANDS)) {
    const command = program.command(name).description(description).addHelpText('after', EXIT_CODE_HELP);
    // Any word may be the command's: `help search`, `search serve`. One too many costs time only.
    if (wanted.has(name)) (await load()).define(command, setExitCode);
  }
  return program;
}
