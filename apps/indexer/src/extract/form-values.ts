/**
 * What a form was filled with, as text where its fields are. Danger: a field is as large and as many as the file says,
 * and one for a password is nobody's business.
 */
import type { PageViewport, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { Run } from './layout/model.ts';
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
  const baselines = runs.map(({ y }) => y).sort((a, b) => a - b);
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
    const lines = text.split(/\r\n?|\n/);
    // What is beside the first line of a long field labels all of it.
    const depth = lines.length > 1 ? Math.min(box.bottom, box.top + 2.5 * size) : box.bottom;
    const first = nearestIn(baselines, box.top, depth) ?? (lines.length > 1 ? box.top + size : depth - size / 4);
    for (const [at, line] of lines.entries()) {
      if (line.trim() === '') continue;
      const y = first + at * LINE_STEP * size;
      const order = runs.length + values.length;
      const width = Math.min(box.right - box.left, line.length * size * 0.5);
      values.push({
        text: settled(line),
        x: box.left,
        y,
        width,
        size,
        font: FIELD_FONT,
        order,
        spaced: true,
        endsLine: true,
      });
    }
  }
  return values;
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

/** The lowest baseline inside the field. */
function nearestIn(ascending: readonly number[], top: number, bottom: number): number | null {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) <= bottom) low = middle + 1;
    else high = middle;
  }
  const found = ascending[low - 1];
  return found !== undefined && found >= top ? found : null;
}
