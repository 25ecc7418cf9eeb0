/**
 * Real reverse proxies running the shipped example configurations, with nothing changed but addresses and files, in
 * front of whatever listens on a port. Each ends with its test. Danger: an example that no longer holds the line that is
 * replaced here would be tested without it, so a missing line is an error.
 */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';
import { createTempFolder } from './temp-folder.ts';

const EXAMPLES = join(import.meta.dirname, '../../examples/reverse-proxy');
/** The name that every example serves. */
export const PROXY_HOST = 'notes.example.org';
const START_TRIES = 400;
const START_PAUSE_MS = 25;

export interface ReverseProxy {
  /** On 127.0.0.1, with TLS. */
  readonly port: number;
  /** The certificate it shows, which nobody signed. */
  readonly certificate: string;
  stop(): Promise<void>;
}

export type ProxyName = 'nginx' | 'caddy';

interface Place {
  readonly folder: string;
  readonly port: number;
  readonly upstreamPort: number;
  readonly certificate: string;
  readonly key: string;
  readonly changes: Changes;
}

/** Whether it, and what makes its certificate, can be run here. */
export function hasProxy(name: ProxyName): boolean {
  const versions = { nginx: ['nginx', '-v'], caddy: ['caddy', 'version'], openssl: ['openssl', 'version'] };
  return [versions[name], versions.openssl].every(
    ([command = '', option = '']) => spawnSync(command, [option], { timeout: 20_000 }).status === 0,
  );
}

/** What a test changes in an example: each line as it stands there, and what stands there instead. */
export type Changes = readonly (readonly [string, string])[];

/** @throws Error with the proxy's output when it does not come to listen */
export async function startProxy(name: ProxyName, upstreamPort: number, changes: Changes = []): Promise<ReverseProxy> {
  const folder = await createTempFolder(name);
  const certificate = join(folder.path, 'certificate.pem');
  const place = {
    folder: folder.path,
    port: await freePort(),
    upstreamPort,
    certificate,
    key: join(folder.path, 'key'),
    changes,
  };
  await makeCertificate(place);
  const child = name === 'nginx' ? await startNginx(place) : await startCaddy(place);
  let output = '';
  child.stderr?.on('data', (data) => {
    output = (output + String(data)).slice(-4_000);
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await folder.remove();
  };
  if (!(await listens(place.port, child))) {
    await stop();
    throw new Error(`${name} did not come to listen:\n${output}`);
  }
  return { port: place.port, certificate: await readFile(certificate, 'utf8'), stop };
}

async function startNginx({ folder, port, upstreamPort, certificate, key, changes }: Place): Promise<ChildProcess> {
  const example = await readFile(join(EXAMPLES, 'nginx.conf'), 'utf8');
  const server = replaceEach(example, [
    ['listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`],
    [`/etc/letsencrypt/live/${PROXY_HOST}/fullchain.pem`, certificate],
    [`/etc/letsencrypt/live/${PROXY_HOST}/privkey.pem`, key],
    ['http://127.0.0.1:8080;', `http://127.0.0.1:${upstreamPort};`],
    ...changes,
  ]);
  await writeFile(join(folder, 'server.conf'), server);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  // Distributions compress by default; the example has to hold there too.
  const around = `daemon off; master_process off; pid ${folder}/pid; error_log stderr; events {}
http {
  access_log off; gzip on; gzip_proxied any; gzip_min_length 1; gzip_types *;
  ${temporary.map((each) => `${each}_temp_path ${folder}/${each};`).join(' ')}
  include ${folder}/server.conf;
}`;
  await writeFile(join(folder, 'nginx.conf'), around);
  return spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: ['ignore', 'ignore', 'pipe'] });
}

async function startCaddy({ folder, port, upstreamPort, certificate, key, changes }: Place): Promise<ChildProcess> {
  const example = await readFile(join(EXAMPLES, 'Caddyfile'), 'utf8');
  const site = replaceEach(example, [
    [`\n${PROXY_HOST} {`, `\n${PROXY_HOST}:${port} {\n\tbind 127.0.0.1\n\ttls ${certificate} ${key}`],
    ['127.0.0.1:8080 {', `127.0.0.1:${upstreamPort} {`],
    ...changes,
  ]);
  const config = join(folder, 'Caddyfile');
  await writeFile(config, `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}`);
  return spawn('caddy', ['run', '--config', config, '--adapter', 'caddyfile'], {
    env: { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

function replaceEach(text: string, replacements: Changes): string {
  return replacements.reduce((all, [from, to]) => {
    if (!all.includes(from)) throw new Error(`The example no longer holds "${from.trim()}".`);
    return all.replaceAll(from, to);
  }, text);
}

async function makeCertificate({ certificate, key }: Place): Promise<void> {
  const subject = ['-subj', `/CN=${PROXY_HOST}`, '-addext', `subjectAltName=DNS:${PROXY_HOST}`];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
  const made = ['-x509', '-nodes', '-days', '2', '-keyout', key, '-out', certificate];
  await promisify(execFile)('openssl', ['req', ...curve, ...made, ...subject]);
}

async function listens(port: number, child: ChildProcess): Promise<boolean> {
  for (let tried = 0; tried < START_TRIES && child.exitCode === null; tried += 1) {
    const socket = connect(port, '127.0.0.1');
    const connected = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (connected) return true;
    await sleep(START_PAUSE_MS);
  }
  return false;
}
