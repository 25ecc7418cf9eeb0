import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { describe, expect, it } from 'vitest';
import type { ExtractorSettings } from './extraction.ts';
import { readTextLayer } from './text-layer.ts';

const SETTINGS: ExtractorSettings = {
  ocr: false,
  languages: 'eng',
  deadlineMs: Number.POSITIVE_INFINITY,
  pageDeadlineMs: Number.POSITIVE_INFINITY,
  onPage: () => undefined,
};

interface FakePage {
  /** Cells: `mayHoldTable` needs rows with gaps. */
  readonly rows?: readonly (readonly string[])[];
  readonly operators?: () => Promise<{ fnArray: number[]; argsArray: unknown[] }>;
  readonly annotations?: () => Promise<unknown[]>;
}

/** A document as the parser gives it, as far as it is asked. */
function documentOf(pages: readonly FakePage[]): PDFDocumentProxy {
  const transform = [1, 0, 0, -1, 0, 800];
  const items = (rows: readonly (readonly string[])[]): object[] =>
    rows.flatMap((row, at) =>
      row.map((str, column) => ({
        str,
        dir: 'ltr',
        width: str.length * 5,
        height: 10,
        transform: [10, 0, 0, 10, 50 + column * 200, 700 - at * 14],
        fontName: 'body',
        hasEOL: column === row.length - 1,
      })),
    );
  const getPage = async (page: number): Promise<object> => {
    const {
      rows = [
        ['a', 'b'],
        ['c', 'd'],
      ],
      operators,
      annotations,
    } = pages[page - 1] ?? {};
    return {
      pageNumber: page,
      getViewport: () => ({ transform, convertToViewportRectangle: (rect: number[]) => rect }),
      getTextContent: async () => ({ items: items(rows), styles: {} }),
      getOperatorList: operators ?? (async () => ({ fnArray: [], argsArray: [] })),
      getAnnotations: annotations ?? (async () => []),
      commonObjs: { has: () => false },
      cleanup: () => undefined,
    };
  };
  return { numPages: pages.length, getPage } as unknown as PDFDocumentProxy;
}

describe('a page that cannot be laid out', () => {
  it.each([
    ['its lines', { operators: () => Promise.reject(new Error('a broken picture\nat line 1')) }, 'a broken picture'],
    ['its form', { annotations: () => Promise.reject(new Error('no such field')) }, 'no such field'],
  ])('for %s has its text in the order of the file, with a note', async (_what, page, reason) => {
    const { texts, faults } = await readTextLayer(documentOf([page, {}]), 2, SETTINGS);
    expect(texts.map(({ text }) => text)).toEqual(['ab\ncd', 'a\tb\nc\td']);
    expect(faults).toEqual([`page 1 could not be laid out (${reason})`]);
  });
});

describe('the lines of a page', () => {
  it('are not asked for where no table can be', async () => {
    let asked = 0;
    const operators = async (): Promise<{ fnArray: number[]; argsArray: unknown[] }> => {
      asked++;
      return { fnArray: [], argsArray: [] };
    };
    await readTextLayer(documentOf([{ rows: [['prose'], ['and more prose']], operators }]), 1, SETTINGS);
    expect(asked).toBe(0);
  });

  it('are no longer asked for after three scans with recognised text: each would be decoded in vain', async () => {
    const asked: number[] = [];
    const scan = (at: number): FakePage => ({
      operators: async () => {
        asked.push(at);
        return { fnArray: [OPS.paintImageXObject], argsArray: [['img']] };
      },
    });
    const { texts } = await readTextLayer(documentOf([1, 2, 3, 4, 5].map(scan)), 5, SETTINGS);
    expect(asked).toEqual([1, 2, 3]);
    expect(texts).toHaveLength(5);
  });

  it('of a drawing make no table', async () => {
    const stroke = [OPS.stroke, [Float32Array.of(0, 10, 10, 1, 400, 10)], null];
    const operators = async () => ({
      fnArray: new Array<number>(30_000).fill(OPS.constructPath),
      argsArray: new Array<unknown>(30_000).fill(stroke),
    });
    const { texts, faults } = await readTextLayer(documentOf([{ operators }]), 1, SETTINGS);
    expect({ texts: texts.map(({ text }) => text), faults }).toEqual({ texts: ['a\tb\nc\td'], faults: [] });
  });
});

it('stops at the time allowed, and says how far it came', async () => {
  const settings = { ...SETTINGS, deadlineMs: 0 };
  expect(await readTextLayer(documentOf([{}, {}]), 2, settings)).toEqual({
    texts: [],
    faults: ['time ran out after page 0 of 2'],
    unfinished: 'time',
  });
});
