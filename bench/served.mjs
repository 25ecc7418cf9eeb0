/**
 * The real program as a child process: started as `npm start` does it, asked over HTTP, stopped by its signal. Times
 * are wall-clock from before the process exists.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.mjs';

const KEY = 'bench-key';

/**
 * @param {{vault: string, data: string, env?: Record<string, string>}} options
 */
export async function startServed({ vault, data, env = {} }) {
  const port = await freePort();
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    ['apps/cli/dist/main.js', 'serve', '--vault', vault, '--data', data, '--port', `${port}`],
    {
      env: { ...process.env, VAULT_MCP_API_KEY: KEY, LOG_LEVEL: 'error', ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const url = `http://127.0.0.1:${port}`;
  const get = (path, init = {}) =>
    fetch(`${url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${KEY}`, accept: 'application/json', ...init.headers },
    });
  return {
    startedAt,
    url,
    key: KEY,
    /** One process answers and starts extractions. */
    pids: { api: child.pid, indexer: child.pid },
    get,
    /** Body of /readyz, or null while nothing listens. */
    async ready() {
      try {
        return await (await get('/readyz')).json();
      } catch {
        return null;
      }
    },
    /** Resolves with seconds since the start once `holds(readyz)` is true. */
    async until(holds, onProgress = () => {}) {
      for (;;) {
        const status = await this.ready();
        if (status && holds(status)) return (performance.now() - startedAt) / 1000;
        if (child.exitCode !== null) throw new Error(`the program ended with ${child.exitCode}`);
        onProgress(status);
        await sleep(status === null ? 20 : 50);
      }
    },
    memory: () => memoryOf(child.pid),
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

/** Resident megabytes now and at most so far (Linux; elsewhere null). */
export function memoryOf(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const megabytes = (field) => Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024);
    return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') };
  } catch {
    return { now: null, peak: null };
  }
}
