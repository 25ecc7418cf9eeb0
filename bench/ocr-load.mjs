/**
 * What people and agents ask of a server, at a fixed rate whatever it answers: searches, reads, maps, listings, appends and
 * small new notes. A call's time runs from when it was due, so that a server that holds one call up is charged for those
 * behind it as well. Danger: the caller's own lateness is charged too; `lateness` says how much it was.
 */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export const OPERATIONS = ['search', 'read', 'map', 'list', 'append', 'write'];
const APPENDED_TO = 12;

/**
 * @param {{url: string, key: string, queries: string[]}} server
 * @param {number} perSecond calls of all kinds together
 */
export async function createLoad({ url, key, queries }, perSecond) {
  let agent = new Agent();
  const headers = { authorization: `Bearer ${key}`, accept: 'application/json' };
  const ask = (method, path, body) => call(new URL(path, url), { method, agent, headers }, body);
  const { entries } = JSON.parse(await ask('GET', '/vault/?recursive=true'));
  const place = (path) => `/vault/${path.split('/').map(encodeURIComponent).join('/')}`;
  const notes = entries.filter(({ type }) => type === 'note').map(({ path }) => place(path));
  const folders = entries.filter(({ type }) => type === 'folder').map(({ path }) => `${place(path)}/`);
  const pick = (list, n) => list[(n * 7) % list.length];
  const calls = {
    search: (n) => ask('GET', `/search?q=${encodeURIComponent(pick(queries, n))}`),
    read: (n) => ask('GET', pick(notes, n)),
    map: (n) => ask('GET', `${pick(notes, n + 3)}?map`),
    list: (n) => ask('GET', pick(folders, n)),
    append: (n) => ask('POST', `/vault/Bench/Log%20${n % APPENDED_TO}.md`, `Line ${n}: the pump was looked at.\n`),
    write: (n) =>
      ask('PUT', `/vault/Bench/Note%20${n}.md`, `# Note ${n}\n\nThe pump was looked at, and it ran well.\n`),
  };
  let sent = 0;
  return {
    ask,
    /**
     * One block of calls.
     * @returns {Promise<{times: Record<string, number[]>, lateness: number}>} milliseconds; the latest a call was sent
     */
    async run(seconds) {
      // Connections of its own: those of the block before may have been closed by the server in the meantime.
      agent = new Agent({ keepAlive: true, maxSockets: 64 });
      const times = Object.fromEntries(OPERATIONS.map((name) => [name, []]));
      const begun = performance.now();
      const running = [];
      let lateness = 0;
      for (let at = 0; at < seconds * perSecond; at++) {
        const due = begun + (at * 1_000) / perSecond;
        const wait = due - performance.now();
        if (wait > 0) await sleep(wait);
        lateness = Math.max(lateness, performance.now() - due);
        const name = OPERATIONS[sent % OPERATIONS.length];
        const answered = calls[name](Math.floor(sent / OPERATIONS.length)).then(() =>
          times[name].push(performance.now() - due),
        );
        // Waited for below; until then a refusal is not to end the bench without its message.
        answered.catch(() => {});
        running.push(answered);
        sent++;
      }
      await Promise.all(running);
      agent.destroy();
      agent = new Agent();
      return { times, lateness };
    },
  };
}

/** @returns {Promise<string>} the body; rejects unless it is one of success */
function call(url, options, body) {
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (answer) => {
      const parts = [];
      answer.on('data', (part) => parts.push(part));
      answer.on('error', reject);
      answer.on('end', () => {
        const text = Buffer.concat(parts).toString('utf8');
        if (answer.statusCode < 300) resolve(text);
        else reject(new Error(`${options.method} ${url.pathname} was answered ${answer.statusCode}: ${text}`));
      });
    });
    sent.on('error', (cause) => reject(new Error(`${options.method} ${url.pathname} had no answer`, { cause })));
    sent.end(body);
  });
}
