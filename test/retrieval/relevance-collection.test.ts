/**
 * `npm run relevance -- --collection DIR --json` as another program runs it: what stands on standard output, what becomes of input
 * that is odd, and what is said of input that is wrong. The script itself is started, over compiled files.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CollectionError, readCollection } from '../../bench/relevance/collection.mjs';
import { embeddingOf } from '../../bench/relevance/embedder-options.mjs';

const run = promisify(execFile);
const SCRIPT = resolve('bench/relevance/run.mjs');

interface Files {
  readonly docs?: readonly unknown[];
  readonly queries?: readonly unknown[];
  readonly qrels?: readonly string[];
}

const GARDEN: Required<Files> = {
  docs: [
    { id: 'a/1', title: 'Tomatoes', text: 'Prune the side shoots every week and water at the root.' },
    { id: '../ü 日本', title: 'Compost: "hot" or cold', text: '---\nTurn the heap; it steams in spring.' },
    { id: '3', title: '', text: 'Earwigs hide in bamboo canes and eat the aphids.' },
    { id: 4, title: 'Only a title about wheelbarrows', text: '' },
    { id: 'empty', title: '', text: '' },
  ],
  queries: [
    { id: 'q1', text: 'pruning side shoots' },
    { id: 'q2', text: 'steaming heap' },
    { id: 'q3', text: 'earwigs' },
    { id: 'q4', text: 'wheelbarrows' },
    { id: 'unjudged', text: 'anything at all' },
    { id: 'nothing relevant', text: 'canes' },
  ],
  qrels: ['q1\ta/1\t2', 'q2\t../ü 日本\t1', 'q3\t3', 'q4\t4\t1', 'q4\tgone\t0', 'q1\t3\t-1', 'nothing relevant\t3\t0'],
};

let base: string;
let made = 0;
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'vault-mcp-collections-'));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

function collection({ docs, queries, qrels }: Files, name = `garden-${made++}`): string {
  const folder = join(base, name);
  mkdirSync(folder, { recursive: true });
  const lines = (values: readonly unknown[]) =>
    values.map((value) => `${typeof value === 'string' ? value : JSON.stringify(value)}\n`).join('');
  if (docs) writeFileSync(join(folder, 'docs.jsonl'), lines(docs));
  if (queries) writeFileSync(join(folder, 'queries.jsonl'), lines(queries));
  if (qrels) writeFileSync(join(folder, 'qrels.tsv'), lines(qrels));
  return folder;
}

async function relevance(folder: string, ...more: string[]) {
  const args = [SCRIPT, '--collection', folder, '--json', '--cache', join(base, 'cache'), ...more];
  const env = { ...process.env, EMBED_PROVIDER: 'ollama', SEARCH_LANGUAGE: 'de' };
  try {
    const { stdout, stderr } = await run(process.execPath, args, { env });
    return { code: 0, stdout, stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, stdout, stderr };
  }
}

describe('a collection', () => {
  it('is answered with one line of JSON, whatever its ids are and whatever the environment says', async () => {
    const { code, stdout, stderr } = await relevance(collection(GARDEN, 'garden'), '--embedder', 'lexical');
    expect({ code, lines: stdout.split('\n').length }).toEqual({ code: 0, lines: 2 });
    const perfect = { ndcg10: 1, recall10: 1, recall50: 1, mrr: 1 };
    expect(JSON.parse(stdout)).toEqual({
      ...{ name: 'garden', queries: 4 },
      arms: { lexical: perfect, dense: expect.objectContaining({ recall50: 1 }), hybrid: perfect },
    });
    expect(stderr).toContain('2 queries without a relevant document');
    expect(stderr).toContain('1 judgments of documents that docs.jsonl does not hold');
  });

  it('has no figures of meaning without an embedder, and the reason stands on standard error', async () => {
    const { stdout, stderr } = await relevance(collection(GARDEN), '--embedder', 'none');
    expect(JSON.parse(stdout).arms).toMatchObject({ lexical: { ndcg10: 1 }, dense: null, hybrid: null });
    expect(stderr).toContain('dense and hybrid are null: no embedder was wanted');
  });

  it('may begin its judgments with a heading, and say the same thing twice', async () => {
    const { docs, queries, qrels } = GARDEN;
    const twice = {
      docs: [...docs, docs[0]],
      queries,
      qrels: ['query-id\tcorpus-id\tscore', ...qrels, ...qrels.slice(0, 1)],
    };
    const { code, stdout } = await relevance(collection(twice), '--embedder', 'none');
    expect({ code, queries: JSON.parse(stdout).queries }).toEqual({ code: 0, queries: 4 });
  });
});

describe('what cannot be read is said with file and line:', () => {
  const { docs, queries, qrels } = GARDEN;
  it.each<[string, Files, string]>([
    ['a folder that is empty', {}, 'docs.jsonl is missing'],
    ['no document', { docs: [], queries, qrels }, 'docs.jsonl holds no document'],
    ['no judgments', { docs, queries, qrels: [] }, 'no query has a relevant document'],
    ['a line that is no JSON', { docs: [...docs, '{"id": "5", "title'], queries, qrels }, 'docs.jsonl:6: no JSON'],
    ['a line that is no object', { docs, queries: ['["q1"]'], qrels }, 'queries.jsonl:1: a JSON object is needed'],
    ['a document without id', { docs: [{ title: 'x', text: 'y' }], queries, qrels }, 'docs.jsonl:1: id must be text'],
    ['a query without text', { docs, queries: [{ id: 'q1' }], qrels }, 'queries.jsonl:1: text must be text'],
    [
      'a query that says nothing',
      { docs, queries: [{ id: 'q1', text: ' ' }], qrels },
      'queries.jsonl:1: text is empty',
    ],
    [
      'one id for two documents',
      { docs: [...docs, { id: '3', title: '', text: 'another' }], queries, qrels },
      'docs.jsonl:6: the id "3" stands above with another content',
    ],
    ['a judgment without document', { docs, queries, qrels: ['q1\t'] }, 'qrels.tsv:1: query, document and relevance'],
    ['a relevance that is a word', { docs, queries, qrels: ['q1\t3\t1', 'q1\t4\tyes'] }, 'qrels.tsv:2: the relevance'],
    ['two relevances of one pair', { docs, queries, qrels: ['q1\t3\t1', 'q1\t3\t2'] }, 'qrels.tsv:2: this pair'],
  ])('%s', (_what, files, said) => {
    const folder = collection(files);
    expect(() => readCollection(folder)).toThrow(CollectionError);
    expect(() => readCollection(folder)).toThrow(said);
  });
});

describe('what cannot be measured ends with 2, the reason, and nothing on standard output:', () => {
  it.each([
    ['a folder without documents', [], 'docs.jsonl is missing'],
    ['an option that is not there', ['--colection', 'x'], '--colection'],
    ['a baseline of a folder', ['--write'], '--write is for the sets that have a baseline'],
  ])('%s', async (_what, options, said) => {
    const { code, stdout, stderr } = await relevance(collection({}), ...options);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(said);
  });
});

describe('an embedder that cannot be had is told of:', () => {
  it.each([
    ['one nobody knows', 'psychic', undefined, '--embedder takes builtin'],
    ['an endpoint without a model', 'http://127.0.0.1:9/v1', undefined, 'needs --model'],
    ['an endpoint that does not answer', 'http://127.0.0.1:9/v1', 'm', 'gives no vectors of m'],
  ])('%s', async (_what, name, model, said) => {
    await expect(embeddingOf(name, model)).rejects.toThrow(said);
  });
});
