import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it } from 'vitest';
import { patientPost } from './patient-fetch.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function post(listener: RequestListener, signal = AbortSignal.timeout(60_000)): Promise<Response> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/a?b=c`);
  return patientPost(url, { headers: { 'x-a': 'b' }, body: 'ü', signal });
}

it('sends what it is given, and gives back status and text', async () => {
  const answer = await post(async (request, response) => {
    const { method, url, headers } = request;
    response.statusCode = 409;
    response.end(JSON.stringify([method, url, headers['x-a'], await text(request)]));
  });
  expect([answer.status, await answer.json()]).toEqual([409, ['POST', '/a?b=c', 'b', 'ü']]);
});

it('sends nothing on to where it is redirected', async () => {
  const urls: (string | undefined)[] = [];
  const answer = await post(({ url }, response) => {
    urls.push(url);
    response.writeHead(307, { location: '/elsewhere' }).end();
  });
  expect([answer.status, urls]).toEqual([307, ['/a?b=c']]);
});

it('ends with its signal, in whose words it says so, also in the middle of an answer', async () => {
  await expect(post(() => undefined, AbortSignal.timeout(50))).rejects.toMatchObject({ name: 'TimeoutError' });
  const half = post((_request, response) => void response.write('half'), AbortSignal.timeout(200));
  await expect(half).rejects.toMatchObject({ name: 'TimeoutError' });
});

it('says that it was hung up on, also in the middle of an answer', async () => {
  await expect(post((request) => request.socket.destroy())).rejects.toMatchObject({ code: 'ECONNRESET' });
  const cut = post((request, response) => response.write('half', () => request.socket.destroy()));
  await expect(cut).rejects.toThrow(/aborted|Premature/);
});
