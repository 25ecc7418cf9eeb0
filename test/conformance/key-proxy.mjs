/**
 * Puts the key on every request and passes it on unchanged otherwise, Host and Origin included: the conformance runner
 * can send no header of its own. Danger: whoever reaches it needs no key, so it listens on the loopback address only
 * and lives no longer than one run.
 */
import { once } from 'node:events';
import { createServer, request } from 'node:http';

/**
 * @param {string} target URL whose host and port requests go to
 * @param {string} key
 * @returns {Promise<{ url: string, close: () => void }>}
 */
export async function withKey(target, key) {
  const { hostname, port, pathname } = new URL(target);
  const proxy = createServer((incoming, outgoing) => {
    const passed = request({
      host: hostname,
      port,
      method: incoming.method,
      path: incoming.url,
      headers: { ...incoming.headers, authorization: `Bearer ${key}` },
      agent: false,
    });
    passed.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    // A client that hangs up ends its stream on the other side as well.
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const close = () => {
    proxy.close();
    proxy.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${proxy.address().port}${pathname}`, close };
}
