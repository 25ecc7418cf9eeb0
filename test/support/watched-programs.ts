/**
 * Starts a program under watch and tells whom it, its threads and its children connected to, sent to or looked up. strace
 * sees every such call of every process; where it cannot be had, a module loaded into Node sees what JavaScript does.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';

const RECORDER = join(import.meta.dirname, 'record-connections.cjs');
const STRACE = ['-D', '-f', '--seccomp-bpf', '-q', '-s', '0', '-e', 'signal=none'];
const CALLS = ['-e', 'trace=connect,sendto,sendmsg,sendmmsg'];

export type Watch = 'strace' | 'a module inside';

/** strace first, where it may be used. */
export const WATCHES: readonly Watch[] =
  spawnSync('strace', [...STRACE, ...CALLS, '-o', '/dev/null', 'true'], { timeout: 20_000 }).status === 0
    ? ['strace', 'a module inside']
    : ['a module inside'];

export interface WatchedProgram {
  readonly child: ChildProcess;
  /** Resolves once it has ended, by itself or by the signal given. */
  end(signal?: NodeJS.Signals): Promise<void>;
  /**
   * Of a program that has ended: each address once, sorted. `ip 127.0.0.1:6379`, `unix /run/socket`, and, seen from
   * inside, `name example.org` for a look-up, which strace shows as the name server's address.
   */
  reached(): Promise<string[]>;
}

/** @param record a file that is not there yet, for what is seen */
export function startWatched(
  watch: Watch,
  record: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env: Readonly<Record<string, string>> },
): WatchedProgram {
  const inside = watch === 'strace' ? {} : { RECORDED_CONNECTIONS: record, NODE_OPTIONS: `--require=${RECORDER}` };
  const env = { PATH: process.env.PATH ?? '', ...options.env, ...inside };
  const command = [process.execPath, ...args];
  // With -D the program stays this process's child, and gets its signals.
  const [file = '', ...rest] = watch === 'strace' ? ['strace', ...STRACE, ...CALLS, '-o', record, ...command] : command;
  const child = spawn(file, rest, { ...options, env, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stderr.resume();
  const ended = once(child, 'exit');
  return {
    child,
    async end(signal) {
      if (signal !== undefined) child.kill(signal);
      await ended;
    },
    async reached() {
      const whole = () => {
        const text = existsSync(record) ? readFileSync(record, 'utf8') : '';
        if (watch === 'strace' && !new RegExp(`^${child.pid} +\\+\\+\\+`, 'm').test(text)) throw new Error('not yet');
        return text;
      };
      const text = await vi.waitFor(whole, { timeout: 20_000, interval: 20 });
      const seen = watch === 'strace' ? text.split('\n').flatMap(addressIn) : text.split('\n');
      return [...new Set(seen.filter((line) => line !== ''))].toSorted();
    },
  };
}

/** Of one line of strace's record. Calls without an address are on connections that were made before. */
function addressIn(line: string): string[] {
  const v4 = /sin_port=htons\((\d+)\), sin_addr=inet_addr\("([^"]+)"\)/.exec(line);
  if (v4) return [`ip ${v4[2]}:${v4[1]}`];
  const v6 = /sin6_port=htons\((\d+)\).*?inet_pton\(AF_INET6, "([^"]+)"/.exec(line);
  if (v6) return [`ip [${v6[2]}]:${v6[1]}`];
  const unix = /sa_family=AF_UNIX, sun_path=@?"([^"]*)"/.exec(line);
  return unix ? [`unix ${unix[1]}`] : [];
}
