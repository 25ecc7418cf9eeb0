/**
 * What testcontainers does not say of a compose project: single services stopped, crashed and started again, how they
 * ended, what they wrote. By the same command a person would type.
 */
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ROOT } from './images.ts';

export interface Inspected {
  readonly Id: string;
  readonly RestartCount: number;
  readonly State: { readonly Status: string; readonly ExitCode: number; readonly Health?: { readonly Status: string } };
  readonly Config: { readonly User: string; readonly Labels: Readonly<Record<string, string>> };
  readonly HostConfig: Readonly<Record<string, unknown>>;
  readonly Mounts: readonly { readonly Destination: string; readonly RW: boolean }[];
}

export interface Ran {
  readonly exitCode: number;
  readonly output: string;
}

export interface Engine {
  readonly name: string;
  /** `docker compose …` of this project. @throws Error with what it said when it fails */
  compose(...args: string[]): Promise<string>;
  /** In a service's running container. */
  exec(service: string, ...command: string[]): Promise<Ran>;
  /** Kills a service's program as a crash would, so that the engine starts it again by its restart policy. */
  crash(service: string): Promise<void>;
  /** Makes a service's program hang, and has it go on. @throws Error with what was said when it did not work */
  hang(service: string): Promise<void>;
  goOn(service: string): Promise<void>;
  inspect(service: string, number?: number): Promise<Inspected>;
  logs(service: string): Promise<string>;
}

export interface ComposeProject {
  readonly name: string;
  /** Where compose is called, and finds its `.env`; default the repository. */
  readonly folder?: string;
  readonly files: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
}

const run = promisify(execFile);
const CRASH_TRIES = 100;
const CRASH_PAUSE_MS = 200;
const LIMITS = { cwd: ROOT, timeout: 120_000, maxBuffer: 64 * 1024 * 1024 };

/** Any docker command. Resolves also when it fails. */
export async function docker(...args: string[]): Promise<Ran> {
  return settle(run('docker', args, LIMITS));
}

export function openEngine({ name, folder = ROOT, files, variables }: ComposeProject): Engine {
  const composeArgs = ['compose', '-p', name, ...files.flatMap((file) => ['-f', file])];
  const containerOf = (service: string, number = 1) => `${name}-${service}-${number}`;
  const exec = (service: string, ...command: string[]) => docker('exec', containerOf(service), ...command);
  // Process 1 is the init that compose asks for: its child is the program, and it ends with it.
  const signal = (service: string, name: string) =>
    exec(service, 'sh', '-c', `kill -${name} $(cat /proc/1/task/1/children)`);
  const signalOnce = async (service: string, name: string) => {
    const { exitCode, output } = await signal(service, name);
    if (exitCode !== 0) throw new Error(`The program in ${service} took no SIG${name}: ${output}`);
  };
  return {
    name,
    exec,
    async compose(...args) {
      const { stdout, stderr } = await run('docker', [...composeArgs, ...args], {
        ...LIMITS,
        cwd: folder,
        env: variables,
      });
      return stdout + stderr;
    },
    async crash(service) {
      let output = '';
      for (let tries = 0; tries < CRASH_TRIES; tries += 1) {
        const killed = await signal(service, 'KILL');
        // 137 when the container was gone before the command could say so.
        if ([0, 137].includes(killed.exitCode)) return;
        // It may be on its way back from the last time.
        output = killed.output;
        await sleep(CRASH_PAUSE_MS);
      }
      throw new Error(`The program in ${service} could not be killed: ${output}`);
    },
    hang: (service) => signalOnce(service, 'STOP'),
    goOn: (service) => signalOnce(service, 'CONT'),
    async inspect(service, number) {
      const { exitCode, output } = await docker('inspect', containerOf(service, number));
      if (exitCode !== 0) throw new Error(output);
      return (JSON.parse(output) as [Inspected])[0];
    },
    logs: async (service) => (await docker('logs', containerOf(service))).output,
  };
}

async function settle(running: Promise<{ stdout: string; stderr: string }>): Promise<Ran> {
  try {
    const { stdout, stderr } = await running;
    return { exitCode: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: unknown; stdout?: string; stderr?: string };
    if (typeof code !== 'number') throw error;
    return { exitCode: code, output: stdout + stderr };
  }
}
