#!/usr/bin/env node
/**
 * Stands in for Ollama's own program in a container, as far as docker-compose.yml uses it: `serve`, `list`, `pull`, and the
 * two routes an embedder calls. A model is there once it was pulled, and stays in the volume. It knows no semantics: a
 * text's vector is its words, hashed. FAKE_OLLAMA_MS_PER_TEXT makes it as slow as a real one.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const DIMS = 768;
const FOLDER = '/root/.ollama/models';
const [command = 'serve', model = ''] = process.argv.slice(2);
const host = process.env.OLLAMA_HOST ?? 'http://127.0.0.1:11434';

if (command === 'serve') serve();
else if (command === 'list') await call('/api/tags');
else if (command === 'pull') await call('/api/pull', { model });
else throw new Error(`This stand-in knows no "${command}".`);

async function call(path, body) {
  const answer = await fetch(`${host}${path}`, body && { method: 'POST', body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  console.log(await answer.text());
}

function serve() {
  mkdirSync(FOLDER, { recursive: true });
  // One text after the other, whoever asks: as one processor would.
  let busy = Promise.resolve();
  const handle = async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    const asked = parts.length === 0 ? {} : JSON.parse(Buffer.concat(parts).toString());
    const known = asked.model !== undefined && existsSync(fileOf(asked.model));
    const send = (status, body) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (request.url === '/api/tags') return send(200, { models: [] });
    if (request.url === '/api/pull') {
      writeFileSync(fileOf(asked.model), '');
      return send(200, { status: 'success' });
    }
    if (!known) return send(404, { error: `model '${asked.model}' not found` });
    if (request.url === '/api/show') return send(200, { model_info: { 'nomic-bert.context_length': 2048 } });
    const texts = [asked.input].flat();
    busy = busy.then(() => sleep(texts.length * Number(process.env.FAKE_OLLAMA_MS_PER_TEXT ?? 0)));
    await busy;
    const data = texts.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }));
    return send(200, { object: 'list', data, model: asked.model });
  };
  createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  }).listen(11434, '0.0.0.0');
  process.on('SIGTERM', () => process.exit(0));
}

function fileOf(name) {
  return `${FOLDER}/${encodeURIComponent(name)}`;
}

function vectorOf(text) {
  const vector = new Array(DIMS).fill(0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['']) {
    let hash = 2166136261;
    for (const character of word) hash = Math.imul(hash ^ character.codePointAt(0), 16777619);
    vector[(hash >>> 0) % DIMS] += 1;
  }
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
