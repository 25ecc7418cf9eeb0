/**
 * An embedder that takes its time, as a process of its own: 50 ms for every 8 texts begun, one request at a time for
 * each key and each address that calls, as if every worker had a machine of its own. It costs next to no processor time,
 * so that the figures show the product's waiting and nothing else. Says its address on standard output.
 */
import { createServer } from 'node:http';

const DIMS = 768;
/** Another bench, whose figures are not about waiting, has it not wait. */
const MS_A_GROUP = Number(process.env.EMBEDDER_GROUP_MS ?? 50);
const TEXTS_A_GROUP = 8;
/** Enough different vectors that none is cached by mistake; written once. */
const VECTORS = Array.from({ length: 256 }, (_, i) => JSON.stringify(unitVector(i)));

/** Key and address → the end of its line. */
const lines = new Map();

const server = createServer((request, response) => {
  let body = '';
  request.on('data', (part) => {
    body += part;
  });
  request.on('end', () => {
    const key = `${request.headers.authorization ?? ''} ${request.socket.remoteAddress}`;
    const turn = (lines.get(key) ?? Promise.resolve()).then(() => answer(request.url, JSON.parse(body), response));
    lines.set(key, turn);
  });
});
// Containers call from elsewhere.
const host = process.env.EMBEDDER_HOST ?? '127.0.0.1';
server.listen(0, host, () => process.stdout.write(`http://127.0.0.1:${server.address().port}/v1\n`));

async function answer(path, { input = [] }, response) {
  if (path !== '/v1/embeddings') {
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"unknown"}');
    return;
  }
  const texts = [input].flat();
  await new Promise((resolve) => setTimeout(resolve, Math.ceil(texts.length / TEXTS_A_GROUP) * MS_A_GROUP));
  const rows = texts.map((text, index) => `{"index":${index},"embedding":${VECTORS[hash(text) % VECTORS.length]}}`);
  response.writeHead(200, { 'content-type': 'application/json' }).end(`{"data":[${rows.join()}]}`);
}

function unitVector(seed) {
  const values = Array.from({ length: DIMS }, (_, i) => Math.sin(seed * 7.13 + i * 0.37));
  const length = Math.hypot(...values);
  return values.map((value) => Number((value / length).toFixed(6)));
}

function hash(text) {
  let value = 0;
  for (let i = 0; i < text.length; i += 7) value = (value * 31 + text.charCodeAt(i)) >>> 0;
  return value;
}
