/**
 * Reads a judged collection: a folder with docs.jsonl {id, title, text}, queries.jsonl {id, text} and qrels.tsv (query, document,
 * relevance). Danger: a line that is skipped in silence moves every figure, so what cannot be read ends the run with file and line,
 * and what is left out is counted.
 */
import { existsSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

/** What is wrong with the input; its message names file and line. */
export class CollectionError extends Error {}

/**
 * @typedef {{id: string, title: string, text: string}} JudgedDocument
 * @typedef {{id: string, text: string, judgments: Map<string, number>}} JudgedQuery grades by document; at least one above zero
 * @typedef {{name: string, documents: JudgedDocument[], queries: JudgedQuery[], leftOut: string[]}} Collection `leftOut` says,
 *   a sentence each, what the figures do without
 */

/**
 * @param {string} folder
 * @returns {Collection}
 * @throws CollectionError
 */
export function readCollection(folder) {
  if (!existsSync(folder)) throw new CollectionError(`${folder} is no folder.`);
  const documents = readById(join(folder, 'docs.jsonl'), ({ title = '', text = '' }) => ({ title, text }), {
    mayBeEmpty: true,
  });
  const asked = readById(join(folder, 'queries.jsonl'), ({ text }) => ({ text }), { mayBeEmpty: false });
  const judged = readJudgments(join(folder, 'qrels.tsv'));
  if (documents.size === 0) throw new CollectionError(`${join(folder, 'docs.jsonl')} holds no document.`);

  const queries = [...asked.values()]
    .map((query) => ({ ...query, judgments: judged.get(query.id) ?? new Map() }))
    .filter(({ judgments }) => [...judgments.values()].some((grade) => grade > 0));
  if (queries.length === 0) throw new CollectionError(`${folder}: no query has a relevant document in qrels.tsv.`);
  return {
    name: basename(resolve(folder)),
    documents: [...documents.values()],
    queries,
    leftOut: whatIsLeftOut({ documents, asked, judged, scored: queries.length }),
  };
}

function whatIsLeftOut({ documents, asked, judged, scored }) {
  const unknownQueries = [...judged.keys()].filter((id) => !asked.has(id)).length;
  const unknownDocuments = [...judged.values()].flatMap((grades) =>
    [...grades.keys()].filter((id) => !documents.has(id)),
  );
  return [
    [asked.size - scored, 'queries without a relevant document'],
    [unknownQueries, 'judged queries that queries.jsonl does not hold'],
    [unknownDocuments.length, 'judgments of documents that docs.jsonl does not hold (they still count as not found)'],
  ]
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count} ${what}`);
}

/** Objects of one JSON line each, by id. The same line twice is one; two that differ under one id are an error. */
function readById(file, pick, { mayBeEmpty }) {
  const found = new Map();
  for (const { line, at } of linesOf(file)) {
    const parsed = parsedObject(line, at);
    const id = idOf(parsed, at);
    const fields = pick(parsed);
    for (const [name, value] of Object.entries(fields)) {
      if (typeof value !== 'string') throw new CollectionError(`${at}: ${name} must be text.`);
      if (!mayBeEmpty && value.trim() === '') throw new CollectionError(`${at}: ${name} is empty.`);
    }
    const known = found.get(id);
    if (known && Object.entries(fields).some(([name, value]) => known[name] !== value)) {
      throw new CollectionError(`${at}: the id ${JSON.stringify(id)} stands above with another content.`);
    }
    found.set(id, { id, ...fields });
  }
  return found;
}

function parsedObject(line, at) {
  try {
    const parsed = JSON.parse(line);
    if (parsed !== null && typeof parsed === 'object' && !Array.isArray(parsed)) return parsed;
  } catch (error) {
    throw new CollectionError(`${at}: no JSON (${error.message}).`);
  }
  throw new CollectionError(`${at}: a JSON object is needed.`);
}

function idOf({ id }, at) {
  if (typeof id === 'number' || (typeof id === 'string' && id !== '')) return String(id);
  throw new CollectionError(`${at}: id must be text that is not empty, or a number.`);
}

/**
 * Grades by query and document. Without a third column a pair is relevant (1); a first line whose third column is a word is a
 * heading.
 */
function readJudgments(file) {
  const judged = new Map();
  linesOf(file).forEach(({ line, at }, index) => {
    const [query, document, written = '1', ...more] = line.split('\t').map((field) => field.trim());
    if (!query || !document || more.length > 0) {
      throw new CollectionError(`${at}: query, document and relevance are needed, with a tab between them.`);
    }
    const grade = written === '' ? 1 : Number(written);
    if (!Number.isFinite(grade)) {
      if (index === 0) return;
      throw new CollectionError(`${at}: the relevance ${JSON.stringify(written)} is no number.`);
    }
    const grades = judged.get(query) ?? new Map();
    if ((grades.get(document) ?? grade) !== grade) {
      throw new CollectionError(`${at}: this pair stands above with another relevance.`);
    }
    judged.set(query, grades.set(document, grade));
  });
  return judged;
}

/** Lines that are not empty, with where each stands. */
function linesOf(file) {
  if (!existsSync(file)) throw new CollectionError(`${file} is missing.`);
  return readFileSync(file, 'utf8')
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line, index) => ({ line, at: `${file}:${index + 1}` }))
    .filter(({ line }) => line.trim() !== '');
}
