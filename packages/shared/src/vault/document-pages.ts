/**
 * A document's pages, as reading, queue, index and answers speak of them: what is done with one, and how its text is told
 * from the others'. Pure. Danger: the text that is stored was written with these headings; another form here, and pages
 * that are in the index are found by nobody.
 */

/** What is done with a page: its text layer is read, or its picture recognised. */
export const PAGE_STEPS = ['text', 'ocr'] as const;
export type PageStep = (typeof PAGE_STEPS)[number];

/**
 * Why the same bytes may give more another time. `time`: no more of it was allowed · `no_ocr`: pages are scans, and nothing
 * recognises them here · `ended`: tesseract was ended over a page, or has read none. Null: this is all there is in them.
 */
export const UNFINISHED = ['time', 'no_ocr', 'ended'] as const;
export type Unfinished = (typeof UNFINISHED)[number];

/**
 * @param text of the page, not empty
 * @returns one page of a document's text, as markdown: a heading `## Page N`, and what stands on it
 */
export function pageUnit(page: number, text: string): string {
  return `## Page ${page}\n\n${text}\n`;
}

/** @returns the page that a unit's heading names, its marks left out; null for any other heading, and for half of one */
export function pageOfHeading(heading: string): number | null {
  const [, page] = /^Page (\d{1,9})$/.exec(heading) ?? [];
  return page === undefined ? null : Number(page);
}

/** @returns the units of a document's text by their page, in its order; what stands in none of them is left out */
export function unitsByPage(text: string): Map<number, string> {
  const units = new Map<number, string>();
  for (const unit of text.split(/^(?=## Page \d+$)/m)) {
    const page = pageOfHeading(unit.split('\n', 1)[0]?.slice('## '.length) ?? '');
    if (page !== null) units.set(page, unit);
  }
  return units;
}
