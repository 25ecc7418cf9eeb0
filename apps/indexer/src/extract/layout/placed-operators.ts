/**
 * Goes through what a page draws, each step with the place on the page it is drawn at. Danger: forms and saved states nest, and
 * a damaged file closes more of them than it opens.
 */
import { OPS, type PageViewport } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { PDFOperatorList } from 'pdfjs-dist/types/src/display/api.js';

/** Of an affine map: a, b, c, d, e, f. */
export type Matrix = readonly number[];

export interface PlacedOperator {
  /** One of pdfjs' OPS. */
  readonly operator: number;
  readonly args: unknown[];
  /** From the operator's own coordinates to the viewport's. */
  readonly matrix: Matrix;
}

export function* placedOperators(operators: PDFOperatorList, viewport: PageViewport): Generator<PlacedOperator> {
  let matrix: Matrix = viewport.transform;
  const kept: Matrix[] = [];
  for (const [at, operator] of operators.fnArray.entries()) {
    const args: unknown[] = operators.argsArray[at] ?? [];
    if (operator === OPS.save) kept.push(matrix);
    else if (operator === OPS.restore || operator === OPS.paintFormXObjectEnd) matrix = kept.pop() ?? matrix;
    else if (operator === OPS.transform) matrix = multiplied(matrix, args as number[]);
    else if (operator === OPS.paintFormXObjectBegin) {
      kept.push(matrix);
      if (args[0]) matrix = multiplied(matrix, args[0] as number[]);
    } else yield { operator, args, matrix };
  }
}

function multiplied(outer: Matrix, inner: Matrix): Matrix {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = outer;
  const [g = 1, h = 0, i = 0, j = 1, k = 0, l = 0] = inner;
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}
