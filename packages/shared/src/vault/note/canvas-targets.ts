/**
 * Where a canvas leads: the files of its cards, the backgrounds of its groups, and the links in its texts. Pure.
 */
import { canvasParts } from './canvas-parts.ts';
import { parseNote } from './parse.ts';
import type { LinkTarget } from './resolve-link.ts';

/** A link of a file that has no lines which a person sees. */
export interface CanvasLink extends LinkTarget {
  readonly line: 0;
}

/** @returns nothing for what is no canvas; targets as resolveLink takes them, the canvas being where they stand */
export function canvasTargets(text: string): CanvasLink[] {
  return canvasParts(text).flatMap((part): CanvasLink[] => {
    if (part.key !== 'text') return [{ form: 'markdown', target: `/${part.path}`, line: 0 }];
    if (!part.text.includes('[')) return [];
    return parseNote(part.text).links.map(({ form, target }) => ({ form, target, line: 0 }));
  });
}
