/**
 * What of a canvas can lead somewhere: the files of its cards, the backgrounds of its groups, and its texts. Pure. Danger: a
 * canvas is untrusted JSON of any shape; what is not what it should be is passed over.
 */

export type CanvasPart =
  /** A whole path from the vault's root, by the property that it is the value of. */
  { readonly key: 'file' | 'background'; readonly path: string } | { readonly key: 'text'; readonly text: string };

/** In the order in which they stand there; nothing of what is no canvas. */
export function canvasParts(text: string): CanvasPart[] {
  const nodes = propertyOf(parsed(text), 'nodes');
  if (!Array.isArray(nodes)) return [];
  return nodes.flatMap((node: unknown): CanvasPart[] => {
    const type = propertyOf(node, 'type');
    if (type === 'file') return pathPart('file', node);
    if (type === 'group') return pathPart('background', node);
    const written = type === 'text' ? propertyOf(node, 'text') : undefined;
    return typeof written === 'string' ? [{ key: 'text', text: written }] : [];
  });
}

function pathPart(key: 'file' | 'background', node: unknown): CanvasPart[] {
  const path = propertyOf(node, key);
  return typeof path === 'string' ? [{ key, path }] : [];
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
