/**
 * The documentation as tests read it: its pages, their links, code spans, tables and console examples. Pure but for
 * reading the files. Danger: Markdown is read by simple patterns here, so pages keep to the simple forms of it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

export interface Page {
  /** From the repository's root. */
  readonly path: string;
  readonly text: string;
}

export function page(path: string): Page {
  return { path, text: readFileSync(join(ROOT, path), 'utf8') };
}

/** Every page written for people: those at the root, in docs/ and in bench/. */
export function pages(): Page[] {
  return ['.', 'docs', 'bench'].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => page(join(folder, name))),
  );
}

/** Paths (from the root) and anchors that a page links to; links to elsewhere are left out. */
export function linksOf({ path, text }: Page): { target: string; anchor: string | undefined }[] {
  const links = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => {
      const [file = '', anchor] = link.split('#');
      return { target: file === '' ? path : relative('.', join(dirname(path), decodeURIComponent(file))), anchor };
    });
}

/** The anchors that a page's headings make. */
export function anchorsOf({ text }: Page): Set<string> {
  const headings = [...withoutCode(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** What stands in code, inline or fenced. */
export function codeOf({ text }: Page): string[] {
  const fenced = [...text.matchAll(/^```[a-z]*\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
  const inline = [...text.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
  return [...fenced, ...inline];
}

/** The cells of every table row below a heading, header rows and rules left out. */
export function rowsOf({ text }: Page, heading: string): string[][] {
  // A comment in a shell example is no heading.
  const section = text
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .split(/^(?=#{1,6} )/m)
    .find((part) => part.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`No heading "${heading}".`);
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** A command of a `console` block and the output shown below it. */
export interface Example {
  /** In one line: continued lines are joined. */
  readonly command: string;
  readonly output: string;
}

export function examplesOf({ text }: Page): Example[] {
  const examples = text.matchAll(/^```console\n\$ ((?:.*\\\n)*.+)\n([\s\S]*?)^```$/gm);
  return [...examples].map(([, command = '', output = '']) => ({
    command: command.replaceAll(/\\\n\s*/g, ''),
    output,
  }));
}

/** The output as a pattern: a line of `…` stands for any lines or none, `…` within a line for anything on it. */
export function patternOf(output: string): RegExp {
  const lines = output.trimEnd().split('\n');
  const parts = lines.map((line) => (line === '…' ? '(?:.*\n)*?' : `${literal(line).replaceAll('…', '.*?')}\n`));
  return new RegExp(`^${parts.join('')}$`);
}

function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

function withoutCode(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '');
}
