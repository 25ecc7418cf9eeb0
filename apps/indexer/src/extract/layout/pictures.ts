/**
 * What pictures a page shows. Danger: a scanner may lay a page down in strips, or letter by letter, so no single picture tells
 * whether the page is one.
 */
import { OPS, type PageViewport } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { PDFOperatorList } from 'pdfjs-dist/types/src/display/api.js';
import { placedOperators } from './placed-operators.ts';

/** Each fills the unit square of its own coordinates. */
const SINGLE: ReadonlySet<number> = new Set([
  OPS.paintImageXObject,
  OPS.paintImageMaskXObject,
  OPS.paintInlineImageXObject,
]);
/** The parser joins what comes in rows of ten and more: strips, or letters that are pictures. */
const JOINED: ReadonlySet<number> = new Set([
  OPS.paintImageXObjectRepeat,
  OPS.paintImageMaskXObjectRepeat,
  OPS.paintImageMaskXObjectGroup,
  OPS.paintInlineImageXObjectGroup,
]);

/** A photograph on a page of a brochure seldom covers as much; a scan leaves a margin at most. */
const SCAN_SHARE = 0.5;

/** Whether the page shows a picture, as a scan with recognised text behind it does. */
export function showsPicture(operators: PDFOperatorList): boolean {
  return operators.fnArray.some((operator) => SINGLE.has(operator));
}

/** Whether pictures cover so much of the page that they may be what there is to read on it. */
export function isPictured(operators: PDFOperatorList, viewport: PageViewport): boolean {
  let covered = 0;
  for (const { operator, matrix } of placedOperators(operators, viewport)) {
    if (JOINED.has(operator)) return true;
    if (!SINGLE.has(operator)) continue;
    const [a = 0, b = 0, c = 0, d = 0] = matrix;
    covered += Math.abs(a * d - b * c);
  }
  return covered >= viewport.width * viewport.height * SCAN_SHARE;
}
