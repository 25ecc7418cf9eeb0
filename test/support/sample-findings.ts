/**
 * Holds the text read from a sample against what it has to hold. Danger: text is compared as a reader takes it, so line
 * breaks and runs of space count as one space, and nothing else is forgiven.
 */
import type { PdfSample } from '../fixtures/pdf-sample.ts';

export interface SampleFindings {
  /** Sentences found whole, of those expected. */
  readonly whole: number;
  /** Those found stand in the order expected. */
  readonly ordered: boolean;
  readonly headings: number;
  readonly rows: number;
  /** One line for each thing that is not as expected. */
  readonly flaws: readonly string[];
}

export function findingsIn(sample: PdfSample, text: string): SampleFindings {
  const lines = text.split('\n');
  const flat = text.replace(/\s+/g, ' ');
  const titles = new Set(lines.flatMap((line) => /^#{4,6} (?<title>.+)$/.exec(line)?.groups?.title ?? []));
  const broken = sample.sentences.filter((sentence) => !flat.includes(sentence));
  const disordered = outOfOrder(flat, sample.sentences);
  const headings = (sample.headings ?? []).filter((heading) => !titles.has(heading));
  const rows = (sample.rows ?? []).filter((row) => !lines.includes(row));
  return {
    whole: sample.sentences.length - broken.length,
    ordered: disordered.length === 0,
    headings: titles.size === 0 ? 0 : (sample.headings ?? []).length - headings.length,
    rows: (sample.rows ?? []).length - rows.length,
    flaws: [
      ...broken.map((sentence) => `not whole: ${sentence}`),
      ...disordered.map((sentence) => `not in order: ${sentence}`),
      ...headings.map((heading) => `no heading: ${heading}`),
      ...rows.map((row) => `no row: ${row}`),
      ...(sample.never?.test(text) ? [`must not be in it: ${sample.never}`] : []),
    ],
  };
}

/** Sentences that are there, but only before one that they should follow. */
function outOfOrder(flat: string, sentences: readonly string[]): string[] {
  const found: string[] = [];
  let at = 0;
  for (const sentence of sentences) {
    const next = flat.indexOf(sentence, at);
    if (next >= 0) at = next + sentence.length;
    else if (flat.includes(sentence)) found.push(sentence);
  }
  return found;
}
