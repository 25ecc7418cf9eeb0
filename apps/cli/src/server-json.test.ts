import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHALLENGE_HEADER, newNonce, PROOF_HEADER, proofOf } from '@vault-mcp/api/http/instance-proof';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  findRunningServer,
  readServerRecord,
  removeServerRecord,
  serverJsonPath,
  writeServerRecord,
} from './server-json.ts';

let data: string;
let servers: Server[];

beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'vault-mcp-server-'));
  servers = [];
});
afterEach(() => {
  for (const server of servers) server.close();
  rmSync(data, { recursive: true, force: true });
});

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const SECRET = newNonce();

/** Answers as the server does that wrote a record with this secret. */
const provingWith =
  (secret: string): RequestListener =>
  (request, response) => {
    const challenge = request.headers[CHALLENGE_HEADER.toLowerCase()];
    const proof = request.url === '/healthz' ? proofOf(secret, String(challenge)) : null;
    if (proof !== null) response.setHeader(PROOF_HEADER, proof);
    response.end('ok');
  };
const healthy = provingWith(SECRET);

/** The id of a process that has ended. */
function endedPid(): number {
  return spawnSync(process.execPath, ['-e', '']).pid;
}

describe('the record of a running server', () => {
  it('is this user’s alone and names a server that answers', async () => {
    const record = { url: await listen(healthy), pid: process.pid, secret: SECRET };
    writeServerRecord(data, record);
    expect(statSync(serverJsonPath(data)).mode & 0o777).toBe(0o600);
    expect(readdirSync(data)).toEqual(['server.json']);
    expect(await findRunningServer(data)).toEqual(record);
  });

  it('is stale when its process has ended, even if the port answers', async () => {
    writeServerRecord(data, { url: await listen(healthy), pid: endedPid(), secret: SECRET });
    expect(await findRunningServer(data)).toBeUndefined();
  });

  it('is stale when nobody listens there', async () => {
    const url = await listen(healthy);
    for (const server of servers) await new Promise((resolve) => server.close(resolve));
    writeServerRecord(data, { url, pid: process.pid, secret: SECRET });
    expect(await findRunningServer(data)).toBeUndefined();
  });

  it('is stale when another program has the port', async () => {
    const asked: (string | undefined)[] = [];
    const url = await listen((request, response) => {
      asked.push(request.headers.authorization);
      // What anybody can know of ours: that it says ok.
      response.end('ok');
    });
    writeServerRecord(data, { url, pid: process.pid, secret: SECRET });
    expect(await findRunningServer(data)).toBeUndefined();
    expect(asked).toEqual([undefined]);
  });

  it('is stale when another vault’s server has the port', async () => {
    writeServerRecord(data, { url: await listen(provingWith(newNonce())), pid: process.pid, secret: SECRET });
    expect(await findRunningServer(data)).toBeUndefined();
  });

  it.each([
    '',
    '{',
    '[]',
    '{"url": "http://127.0.0.1:1", "pid": 1}',
    '{"url": "file:///etc/passwd", "pid": 1}',
    '{"url": "http://h", "pid": -1}',
  ])('is taken for none when it reads %j', async (content) => {
    writeFileSync(serverJsonPath(data), content);
    expect(readServerRecord(data)).toBeUndefined();
    expect(await findRunningServer(data)).toBeUndefined();
  });

  it('is taken away by the server that wrote it, not by an earlier one', () => {
    writeServerRecord(data, { url: 'http://127.0.0.1:1', pid: 4242, secret: SECRET });
    removeServerRecord(data, 1);
    expect(readServerRecord(data)?.pid).toBe(4242);
    removeServerRecord(data, 4242);
    expect(readdirSync(data)).toEqual([]);
  });
});
