/**
 * Runs the compiled command line as a person would: its own process, a bare environment, a home of its own. Danger:
 * it runs what `tsc -b` left in dist, so an unbuilt change is not seen.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../apps/cli/dist/main.js', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process that goes on until it is stopped. */
export interface Running {
  readonly child: ChildProcess;
  /** Resolves with standard output once `pattern` stands in it; rejects with everything said when it ends first. */
  until(pattern: RegExp): Promise<string>;
  readonly ended: Promise<Ended>;
}

/** A home with a vault in it. */
export class CliHome {
  readonly root: string = realpathSync(mkdtempSync(join(tmpdir(), 'vault-mcp-cli-')));
  readonly vault: string = join(this.root, 'notes');
  readonly data: string = join(this.root, 'data');
  readonly #children: ChildProcess[] = [];

  constructor() {
    mkdirSync(this.vault);
  }

  /** Writes a note (or any file) into the vault. */
  write(path: string, content: string | Buffer): void {
    const absolute = join(this.vault, path);
    mkdirSync(dirname(absolute), { recursive: true });
    writeFileSync(absolute, content);
  }

  /** Starts `vault-mcp <args>` without naming vault or data. */
  start(args: readonly string[], env: Record<string, string> = {}): Running {
    const child = spawn(process.execPath, [MAIN, ...args], {
      cwd: this.root,
      env: {
        PATH: process.env.PATH,
        HOME: this.root,
        XDG_DATA_HOME: join(this.root, 'xdg'),
        VAULT_MCP_CONFIG: '',
        ...env,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#children.push(child);
    return follow(child);
  }

  /** Runs to the end. */
  run(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
    const running = this.start(args, env);
    running.child.stdin?.end();
    return running.ended;
  }

  /** The options that name this home's vault and data folder. */
  get here(): string[] {
    return ['--vault', this.vault, '--data', this.data];
  }

  /** Ends whatever still runs and takes the home away. */
  async close(): Promise<void> {
    for (const child of this.#children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
    }
    rmSync(this.root, { recursive: true, force: true });
  }
}

function follow(child: ChildProcess): Running {
  let stdout = '';
  let stderr = '';
  const watchers = new Set<() => void>();
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    for (const look of watchers) look();
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
  const until = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (!pattern.test(stdout)) return;
        watchers.delete(look);
        resolve(stdout);
      };
      watchers.add(look);
      look();
      void ended.then(({ code }) => reject(new Error(`ended with ${code} before ${pattern}:\n${stdout}\n${stderr}`)));
    });
  return { child, until, ended };
}
