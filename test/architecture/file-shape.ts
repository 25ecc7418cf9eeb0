/**
 * What a single file looks like: its name, its header, its length, and the short cuts it may not take. Rules for
 * readers, checked so that nobody has to say them in a review.
 */
import { Visitor } from 'oxc-parser';
import type { Rule, SourceFile } from './source-files.ts';

const MAX_LINES = 300;
const LENGTH_REASON = 'Longer than 300 lines because';
/** Names that say nothing, and so collect everything. */
const EMPTY_WORDS = new Set(['util', 'utils', 'helper', 'helpers', 'manager', 'misc', 'common', 'stuff']);
const NAME = /^[a-z0-9]+(-[a-z0-9]+)*(\.(test|sql|bench))?\.(ts|mjs|js)$/;

export const hasTellingNames: Rule = (files) =>
  files.flatMap(({ path }) => {
    const parts = path.split('/');
    const name = parts.at(-1) ?? '';
    const words = parts.flatMap((part) => part.split(/[-.]/));
    const empty = words.filter((word) => EMPTY_WORDS.has(word));
    const problems = empty.map((word) => `${path} is named "${word}"; name it after what it does`);
    if (!NAME.test(name)) problems.push(`${path} is not in kebab-case`);
    return problems;
  });

export const hasNoBarrels: Rule = (files) =>
  files.filter(isBarrel).map(({ path }) => `${path} is a barrel; import from the file that has it`);

function isBarrel({ path, program }: SourceFile): boolean {
  if (/\/index\.(ts|mjs|js)$/.test(path)) return true;
  const reexports = program.body.filter(
    (node) => node.type === 'ExportAllDeclaration' || (node.type === 'ExportNamedDeclaration' && node.source !== null),
  );
  const imports = program.body.filter((node) => node.type === 'ImportDeclaration');
  return reexports.length > 0 && reexports.length + imports.length === program.body.length;
}

/** Test files may do without: their names are sentences already. */
export const hasHeaders: Rule = (files) =>
  files
    .filter(({ path }) => !path.endsWith('.test.ts'))
    .filter(({ text }) => !/^(#!.*\n)?\/\*\*/.test(text))
    .map(({ path }) => `${path} does not open with a /** header that says its purpose and its danger`);

export const isShortOrSaysWhy: Rule = (files) =>
  files
    .filter(({ text }) => text.split('\n').length - 1 > MAX_LINES)
    .filter(({ text }) => !headerOf(text).includes(LENGTH_REASON))
    .map(({ path }) => `${path} is past ${MAX_LINES} lines; split it, or say "${LENGTH_REASON} …" in its header`);

/** The first comment as one line of text. */
function headerOf(text: string): string {
  const header = /^(?:#!.*\n)?\/\*\*([\s\S]*?)\*\//.exec(text)?.[1] ?? '';
  return header.replace(/\s*\n\s*\*\s?/g, ' ');
}

export const takesNoShortCuts: Rule = (files) =>
  files.flatMap((file) => shortCuts(file).map((what) => `${file.path} ${what}`));

function shortCuts(file: SourceFile): string[] {
  const found = new Set<string>();
  for (const comment of file.comments) {
    if (/^\s*@ts-(ignore|nocheck|expect-error)\b/.test(comment)) found.add('silences the type checker');
    if (/\b(TODO|FIXME|XXX)\b/.test(comment)) found.add('leaves work for later in a comment');
  }
  new Visitor({
    TSAsExpression({ typeAnnotation }) {
      if (typeAnnotation.type === 'TSAnyKeyword') found.add('casts to any');
    },
    CallExpression({ callee }) {
      if (callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier') return;
      const method = callee.property.type === 'Identifier' ? callee.property.name : '';
      if (callee.object.name === 'vi' && /^(mock|doMock|unmock|doUnmock)$/.test(method)) {
        found.add('mocks a module; pass a fake as a parameter');
      }
      if (/^(it|test|describe)$/.test(callee.object.name) && method === 'only') found.add('leaves other tests out');
    },
  }).visit(file.program);
  return [...found];
}
