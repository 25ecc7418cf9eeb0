/**
 * What a form was filled with, as text where its fields are. Danger: a field is as large and as many as the file says,
 * and one for a password is nobody's business.
 */
import type { PageViewport, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { Rule, Run } from './layout/model.ts';
import { type Direction, settled, turnedRule } from './layout/runs.ts';

/** Fields of one page that are read. */
const MAX_FIELDS = 2_000;
/** Size of a value where nothing on the page says another. Points. */
const DEFAULT_SIZE = 10;
const LINE_STEP = 1.2;
/** The font that values are said to be in: none of the document's. */
const FIELD_FONT = 'field';

interface Annotation {
  readonly subtype?: unknown;
  readonly fieldType?: unknown;
  readonly fieldValue?: unknown;
  readonly rect?: unknown;
  readonly hidden?: unknown;
  readonly password?: unknown;
  readonly checkBox?: unknown;
  readonly radioButton?: unknown;
  readonly exportValue?: unknown;
  readonly buttonValue?: unknown;
  readonly contentsObj?: { readonly str?: unknown };
}

/**
 * @param runs the page's text, in `direction`: a value takes the baseline of what stands beside its field
 * @returns one run for each line of each value
 */
export async function formValues(
  page: PDFPageProxy,
  viewport: PageViewport,
  runs: readonly Run[],
  direction: Exclude<Direction, null>,
): Promise<Run[]> {
  const annotations: Annotation[] = await page.getAnnotations({ intent: 'display' });
  const byBaseline = runs.toSorted((a, b) => a.y - b.y);
  const size = runs.length > 0 ? (runs[runs.length >> 1]?.size ?? DEFAULT_SIZE) : DEFAULT_SIZE;
  const values: Run[] = [];
  for (const annotation of annotations.slice(0, MAX_FIELDS)) {
    const text = shownValue(annotation);
    if (text === '' || !isRectangle(annotation.rect)) continue;
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = viewport.convertToViewportRectangle(annotation.rect) as number[];
    const box = turnedRule(
      { left: Math.min(x1, x2), top: Math.min(y1, y2), right: Math.max(x1, x2), bottom: Math.max(y1, y2) },
      direction,
    );
    // Not spread: a field may hold more lines than a call takes arguments.
    for (const run of valueRuns(text, box, byBaseline, size)) values.push(run);
  }
  return values;
}

/** One run for each line that is not blank. */
function valueRuns(text: string, box: Rule, byBaseline: readonly Run[], size: number): Run[] {
  const lines = text.split(/\r\n?|\n/);
  // What is beside the first line of a long field labels all of it.
  const depth = lines.length > 1 ? Math.min(box.bottom, box.top + 2.5 * size) : box.bottom;
  const label = lowestIn(byBaseline, box.top, depth);
  const first = label?.y ?? (lines.length > 1 ? box.top + size : depth - size / 4);
  // As if the file had it behind the label: what comes last everywhere would look like a column.
  const order = (label?.order ?? byBaseline.length) + 0.5;
  return lines.flatMap((line, at) => {
    if (line.trim() === '') return [];
    const width = Math.min(box.right - box.left, line.length * size * 0.5);
    const y = first + at * LINE_STEP * size;
    const placed = { x: box.left, y, width, size, order };
    return [{ ...placed, text: settled(line), font: FIELD_FONT, spaced: true, endsLine: true }];
  });
}

/** What a reader of the page sees in the field; empty for nothing. */
function shownValue(annotation: Annotation): string {
  const { subtype, fieldType, fieldValue } = annotation;
  if (annotation.hidden === true) return '';
  if (subtype === 'FreeText') return typeof annotation.contentsObj?.str === 'string' ? annotation.contentsObj.str : '';
  if (subtype !== 'Widget' || annotation.password === true) return '';
  if (fieldType === 'Btn') return isOn(annotation) ? '☒' : '';
  if (fieldType !== 'Tx' && fieldType !== 'Ch') return '';
  const values = Array.isArray(fieldValue) ? fieldValue : [fieldValue];
  return values.filter((value) => typeof value === 'string').join(', ');
}

function isOn({ checkBox, radioButton, fieldValue, exportValue, buttonValue }: Annotation): boolean {
  if (typeof fieldValue !== 'string' || fieldValue === 'Off') return false;
  if (checkBox === true) return fieldValue === exportValue;
  return radioButton === true && fieldValue === buttonValue;
}

function isRectangle(rect: unknown): rect is number[] {
  return Array.isArray(rect) && rect.length === 4 && rect.every((side) => Number.isFinite(side));
}

/** The text with the lowest baseline inside the field. */
function lowestIn(byBaseline: readonly Run[], top: number, bottom: number): Run | null {
  let [low, high] = [0, byBaseline.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((byBaseline[middle]?.y ?? 0) <= bottom) low = middle + 1;
    else high = middle;
  }
  const found = byBaseline[low - 1];
  return found !== undefined && found.y >= top ? found : null;
}
