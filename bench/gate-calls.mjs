/**
 * What the memory calls take over HTTP on a running server: proposals in their three ways, consolidation without writing, and
 * facts onto wiki pages. Danger: a call that ends otherwise than meant (a note where a decision was to be asked for) would be a
 * figure of something else, so each answer is looked at.
 */
import { fact, nearCopy, unheardOf } from './gate-vault.mjs';
import { percentiles } from './percentiles.mjs';

const CONSOLIDATIONS = 3;

/** @param served of startServed; @param {{title: string, namespace: string, body: string}[]} notes in its vault */
export async function proposals(served, notes, rounds) {
  const propose = (body) => post(served, '/memory/propose', body);
  const candidates = notes.slice(0, rounds).map(({ title, namespace, body }) => ({
    ...{ title: `${title} again`, type: 'fact', namespace, body: nearCopy(body) },
  }));
  const shown = [];
  const first = await timedEach(candidates, async (candidate) => shown.push(await propose(candidate)), decides);
  const decided = candidates.map((candidate, n) => ({
    ...candidate,
    token: shown[n].token,
    decision: { action: 'supersede', target: shown[n].similar[0].path },
  }));
  const supersede = await timedEach(decided, propose, is('done', 'supersede'));
  const others = candidates.map(({ namespace }, n) => ({
    ...{ title: `Unheard of ${n}`, type: 'fact', namespace, body: unheardOf() },
  }));
  return { first, supersede, create: await timedEach(others, propose, is('done', 'create')) };

  function decides() {
    is('decide')(shown.at(-1));
  }
}

/** @returns milliseconds of the median call, and how many clusters there were */
export async function consolidation(served, ceiling) {
  let clusters = 0;
  const calls = Array.from({ length: CONSOLIDATIONS }, () => ({ ceiling }));
  const times = await timedEach(
    calls,
    (body) => post(served, '/memory/consolidate', body),
    (answer) => {
      if (answer.degraded.length > 0) throw new Error(`not all notes were compared: ${answer.degraded}`);
      clusters = answer.clusters.length;
    },
  );
  return { ms: times.p50, clusters };
}

/** Facts onto pages that are there, one after the other. */
export function facts(served, slugs, rounds, committed) {
  const bodies = Array.from({ length: rounds }, (_, n) => ({ slug: slugs[n % slugs.length], content: fact() }));
  return timedEach(
    bodies,
    (body) => post(served, '/wiki/append', body),
    (answer) => {
      is('added')(answer);
      if (answer.committed.state !== committed) throw new Error(`committed: ${JSON.stringify(answer.committed)}`);
    },
  );
}

const is = (status, action) => (answer) => {
  if (answer.status === status && answer.action === action) return;
  throw new Error(`not ${status} ${action ?? ''}: ${JSON.stringify(answer).slice(0, 500)}`);
};

async function timedEach(bodies, work, check) {
  const times = [];
  for (const body of bodies) {
    const before = performance.now();
    const answer = await work(body);
    times.push(performance.now() - before);
    check(answer);
  }
  return percentiles(times);
}

async function post(served, path, body) {
  const headers = { 'content-type': 'application/json' };
  const answer = await served.get(path, { method: 'POST', headers, body: JSON.stringify(body) });
  const said = await answer.json();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(said)}`);
  return said;
}
