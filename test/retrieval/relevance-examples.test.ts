/**
 * Our own queries to the example vault: that they cover what they have to, and that none of them finds less than the baseline says.
 * A change of ranking that fails here is looked at query by query; `npm run relevance -- --write` makes it the new baseline.
 */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readOwnQueries } from '../../bench/relevance/own-queries.mjs';
import { createTempFolder } from '../support/temp-folder.ts';

const run = promisify(execFile);
const KINDS = [
  ...['identifier', 'misspelling', 'paraphrase', 'question', 'german', 'japanese', 'thai', 'document', 'unanswerable'],
  ...['plate', 'part number', 'postcode', 'snake_case', 'path', 'e-mail', 'quoted', 'glued', 'unknown word'],
];
const queries = readOwnQueries(resolve('examples/vault'));

describe('the queries to the example vault', () => {
  it('are of every kind, and some have no answer', () => {
    const kinds = new Set(queries.flatMap(({ tags }) => tags));
    for (const kind of KINDS) expect(kinds).toContain(kind);
    const unanswerable = queries.filter(({ judgments }) => judgments.size === 0);
    expect(unanswerable.every(({ tags }) => tags.includes('unanswerable'))).toBe(true);
    expect(queries.length - unanswerable.length).toBeGreaterThanOrEqual(80);
  });

  it('that ask for what only a document says are answered by documents', () => {
    for (const { judgments } of queries.filter(({ tags }) => tags.includes('document'))) {
      const best = [...judgments].filter(([, grade]) => grade === 2).map(([path]) => path);
      expect(best.every((path) => path.startsWith('Files/'))).toBe(true);
    }
  });

  it('find with the built-in model no less than they did', async () => {
    const cache = await createTempFolder('vectors');
    try {
      const script = ['bench/relevance/run.mjs', '--set', 'examples', '--cache', cache.path];
      const { stderr } = await run(process.execPath, script);
      expect(stderr).toContain('examples: 0 worse');
    } finally {
      await cache.remove();
    }
  });
});
