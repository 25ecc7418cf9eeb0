/**
 * Where a canvas leads: the files of its cards, the backgrounds of its groups, and the links in its texts. Pure. Danger:
 * a canvas is untrusted JSON of any shape; what is not what it should be is passed over.
 */
import { parseNote } from './parse.ts';
import type { LinkTarget } from './resolve-link.ts';

/** A link of a file that has no lines which a person sees. */
export interface CanvasLink extends LinkTarget {
  readonly line: 0;
}

/** @returns nothing for what is no canvas; targets as resolveLink takes them, the canvas being where they stand */
export function canvasTargets(text: string): CanvasLink[] {
  const nodes = propertyOf(parsed(text), 'nodes');
  if (!Array.isArray(nodes)) return [];
  return nodes.flatMap((node: unknown) => {
    const type = propertyOf(node, 'type');
    if (type === 'file') return wholePath(propertyOf(node, 'file'));
    if (type === 'group') return wholePath(propertyOf(node, 'background'));
    const written = type === 'text' ? propertyOf(node, 'text') : undefined;
    if (typeof written !== 'string' || !written.includes('[')) return [];
    return parseNote(written).links.map(({ form, target }) => ({ form, target, line: 0 }));
  });
}

/** A card names its file by the whole path from the vault's root. */
function wholePath(file: unknown): CanvasLink[] {
  return typeof file === 'string' ? [{ form: 'markdown', target: `/${file}`, line: 0 }] : [];
}

function propertyOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}
