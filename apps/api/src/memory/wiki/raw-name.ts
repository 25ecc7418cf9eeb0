/**
 * The names of raw material: what a wiki keeps of its sources. Pure. Danger: a name comes from whoever calls, or from a page
 * on the internet, and becomes a file; so nothing of it is kept that could mean anything to a path, a shell or a person's
 * list of files.
 */
import mime from 'mime';
import { inLatin } from './latin.ts';

/** Characters of a name, so that a number still fits behind it. */
const MAX_LENGTH = 100;

/** Of what nothing is left. */
const NAMELESS = 'source';

/** Behind something: a name that is nothing but a suffix is a hidden file's. */
const SUFFIX = /(?<=.)\.[a-zA-Z0-9]{1,10}$/;

/** What Windows opens a device by, with any suffix and in any case. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** What a server sends when it does not know; no suffix says that. */
const UNTOLD = 'application/octet-stream';

/**
 * @param from a file's name or path, of any system; folders are dropped
 * @param contentType of what it names, which gives the suffix where the name has none
 * @returns letters a to z and A to Z, digits, `.`, `_` and `-`; no dot or hyphen in front, none behind; never empty, and
 *   no device's
 */
export function rawName(from: string, contentType?: string | null): string {
  const whole = sanitised(from.split(/[/\\]/).findLast((part) => part.trim() !== '') ?? '');
  const found = suffixIn(whole);
  const suffix = found === '' ? suffixOf(contentType) : found;
  const stem = whole.slice(0, whole.length - found.length);
  const cut = (text: string) => trimmed(text.slice(0, MAX_LENGTH - suffix.length));
  const name = cut(stem) || NAMELESS;
  return DEVICE.test(`${name}${suffix}`) ? `${cut(`_${name}`)}${suffix}` : `${name}${suffix}`;
}

/** What a URL calls the thing it leads to: the last part of its path, decoded where that can be. */
export function nameInUrl({ pathname }: URL): string {
  const last = pathname.split('/').findLast((part) => part !== '') ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    return last; // a `%` that is no escape: its parts are as good as any other
  }
}

/** The same name once more, for other bytes: `page.html`, `page-2.html`. */
export function numberedName(name: string, number: number): string {
  if (number === 1) return name;
  const suffix = suffixIn(name);
  return `${name.slice(0, name.length - suffix.length)}-${number}${suffix}`;
}

function sanitised(name: string): string {
  return inLatin(name)
    .replace(/[^a-zA-Z0-9._-]+/g, '-')
    .replace(/[.-]+$/, '');
}

function suffixIn(name: string): string {
  return SUFFIX.exec(name)?.[0] ?? '';
}

/** No hidden file, no option of a command, nothing that some systems drop. */
function trimmed(name: string): string {
  return name.replace(/^[.-]+|[.-]+$/g, '');
}

function suffixOf(contentType: string | null | undefined): string {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  const extension = type === '' || type === UNTOLD ? null : mime.getExtension(type);
  return extension === null ? '' : `.${extension}`;
}
