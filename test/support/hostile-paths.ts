/**
 * Paths that were made to lead somewhere they should not, the same ones every time. Each is given twice: as the text
 * that JSON, a query or a tool's argument carries, and as the bytes behind the mount of a URL. Danger: the set is worth
 * something only over the vault of hostile-vault.ts, whose links, canaries and protected entries these names aim at.
 */

export interface HostilePath {
  /** What kind of trick it is, for the report of a failure. */
  readonly kind: string;
  readonly text: string;
  /** Printable ASCII without blanks, as a request line may hold it; begins behind the mount's slash. */
  readonly target: string;
}

type Random = <T>(choices: readonly T[]) => T;
/** A text alone is encoded for its URL part by part; a pair says how the URL is spelled. */
type Trick = (any: Random) => string | { readonly text: string; readonly target: string };

/** What the tricks try to reach, from the vault's root upwards. */
const OUTSIDE = [
  'canary.md',
  'outside/canary.md',
  'outside/Deep/canary.md',
  'outside',
  'data/api-key',
  'data/canary.md',
  'vault-sibling/canary.md',
  'etc-like/passwd',
  'outside/new.md',
];
/** Stands for the absolute path of the folder around the vault: what really is in `/etc` is no test's to lose. */
const BASE = '/BASE';
/** What stands in the vault and is protected, linked or special there. */
const PROTECTED = [
  '.obsidian/secret.md',
  '.obsidian/app.json',
  '.obsidian',
  '.git/config',
  '.git/hooks/new.md',
  '.trash/kept.md',
  '.trash',
  'Notes/.hidden.md',
  'Guarded/.obsidian/secret.md',
  '.vault-mcp-00000000-0000-4000-8000-000000000000-0123abcd.tmp',
];
const LINKS = ['out', 'outer', 'etc-like', 'up', 'inner', 'self', 'dangling', 'top', 'Notes/out', 'Notes/Deep/up'];
const FILE_LINKS = ['out.md', 'inner.md', 'dangling.md', 'Notes/out.md', 'OUT.md', 'out.md/', 'pipe.md', 'out.pdf'];
const BELOW = [
  'canary.md',
  'Deep/canary.md',
  'new.md',
  'New/new.md',
  'passwd',
  'a.md',
  '.',
  '..',
  '',
  'x/../canary.md',
];
const STARTS = ['', 'Notes/', 'Notes/Deep/', 'Nowhere/', 'Notes/a.md/', 'out/', 'Guarded/'];
const LEAVES = ['a.md', 'new.md', 'New/new.md', 'Deep', 'report.pdf', 'pic.png', ''];
const UPS = [1, 2, 3, 5, 12];

/** C0, DEL, C1, and what only looks like an end of line. */
const CONTROLS = [
  '\0',
  '\x01',
  '\t',
  '\n',
  '\r',
  '\r\n',
  '\x1b',
  '\x1b[2J',
  '\x7f',
  '\x80',
  '\x85',
  '\u2028',
  '\u2029',
];
const INVISIBLE = ['\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u202e', '\u2066', '\u061c', '\u180e'];
const SURROGATES = ['\ud800', '\udfff', '\udc00\ud800', 'a\ud83d', '\ude00.'];
const SHELL = ['*', '?', '[a-z]', '{a,b}', '$(id)', '`id`', ';id', '|id', '&&id', '>x', '<x', '"', "'", '!', '#', '~'];
/** Two, three and four bytes for characters that need one, and what was never UTF-8. */
const OVERLONG_DOT = ['%c0%ae', '%e0%80%ae', '%f0%80%80%ae', '%c0%2e', '%fe', '%ff'];
const OVERLONG_SLASH = ['%c0%af', '%e0%80%af', '%f0%80%80%af', '%c1%9c', '%c0%2f'];
const DEVICES = ['CON', 'NUL', 'AUX.md', 'COM1', 'LPT1.md', 'PRN', 'CONIN$', 'nul.md', 'a.md::$DATA', 'a.md:stream'];

const TRICKS: Readonly<Record<string, Trick>> = {
  'parent parts': (any) => `${any(STARTS)}${'../'.repeat(any(UPS))}${any(OUTSIDE)}`,
  'parent parts in the middle': (any) => `Notes/${any(['../', 'x/../../', './../', '..//'])}${any(OUTSIDE)}`,
  'parent parts alone': (any) =>
    any(['..', '../', '../..', 'Notes/..', 'Notes/../', '.', './', './..', 'a/../..', '...']),
  'parent parts within the vault': (any) =>
    `${any(['Deep/../', 'Notes/Deep/../../', './'])}${any([...PROTECTED, ...LINKS])}`,
  'dotted parts': (any) =>
    `${any(STARTS)}${any(['...', '....', '. .', '.. ', ' ..', '..;', '..;x', '.…', '．．'])}/${any(OUTSIDE)}`,
  'dots encoded once': (any) =>
    spelled(`${any(STARTS)}${any(['%2e%2e/', '%2E%2e/', '.%2e/', '%2e./'])}${any(OUTSIDE)}`),
  'dots and slash encoded once': (any) => {
    const up = any(['%2e%2e%2f', '..%2f', '%2E%2E%2F', '..%5c', '%2e%2e%5C', '.%2e%2f']);
    return spelled(`${any(STARTS)}${up.repeat(any(UPS))}${any(OUTSIDE)}`);
  },
  'dots encoded twice': (any) => {
    const up = any(['%252e%252e/', '%252e%252e%252f', '..%252f', '%25%32%65%25%32%65/', '%25252e%25252e%25252f']);
    return spelled(`${any(STARTS)}${up.repeat(any(UPS))}${any(OUTSIDE)}`);
  },
  'percent signs that encode nothing': (any) =>
    spelled(`${any(STARTS)}${any(['%', '%%', '%2', '%zz', '%u002e%u002e', '%%32e', '%E', '%1'])}/${any(OUTSIDE)}`),
  'overlong dots and slashes': (any) =>
    spelled(`${any(STARTS)}${any(OVERLONG_DOT)}${any(OVERLONG_DOT)}${any(['/', ...OVERLONG_SLASH])}${any(OUTSIDE)}`),
  'full-width separators': (any) =>
    `${any(STARTS)}${any(['．．／', '..／', '‥/', '․․/', '..∕', '..⁄'])}${any(OUTSIDE)}`,
  'a NUL': (any) =>
    `${any(STARTS)}${any(['a.md', '../outside/canary.md', 'out'])}\0${any(['', '.md', '/x.md', '.png'])}`,
  'an encoded NUL': (any) =>
    spelled(`${any(STARTS)}${any(['a.md', 'out/canary.md'])}${any(['%00', '%2500'])}${any(['', '.md'])}`),
  'control characters': (any) =>
    `${any(STARTS)}${any(['a', '..', ''])}${any(CONTROLS)}${any(['.md', '/canary.md', 'x.md'])}`,
  backslashes: (any) => `${any(STARTS)}${any(['..\\', '\\', '..\\..\\', 'a\\..\\', '\\\\?\\', '\\/'])}${any(OUTSIDE)}`,
  'absolute paths': (any) =>
    `${any(['', '/', '//', '/.', '//.'])}${BASE}/${any([...OUTSIDE, 'new.md', 'vault/.obsidian/secret.md', 'vault/Notes/a.md'])}`,
  'drive letters': (any) => `${any(['C:', 'c:/', 'C:\\', 'C|/', 'Z:..\\', 'C:./'])}${any(OUTSIDE)}`,
  'network shares': (any) =>
    `${any(['//server/share/', '\\\\server\\share\\', '//?/C:/', '\\\\.\\', '//localhost/c$/'])}${any(OUTSIDE)}`,
  'empty parts': (any) => `${any(STARTS)}${any(['/', '//', 'Deep//', '//Deep///'])}${any(LEAVES)}`,
  'parts of one dot': (any) =>
    `${any(STARTS)}${any(['./', '././', './/./', 'Deep/./'])}${any([...LEAVES, ...PROTECTED])}`,
  'dots and blanks at the end': (any) =>
    `${any(STARTS)}${any(['a.md', 'Deep', 'new.md', 'index.md'])}${any(['.', ' ', '..', '. .', ' .', '\u00a0', '\u3000'])}`,
  'blanks at the start': (any) =>
    `${any([' ', '  ', '\t', '\n', '\u00a0', '\ufeff'])}${any([...OUTSIDE, '../canary.md', `${BASE}/canary.md`, '.obsidian/secret.md'])}`,
  'names at the edge of 255 bytes': (any) =>
    `${any(STARTS)}${any(['n', 'é', '漢', '😀']).repeat(any([64, 84, 126, 252]))}${any(['', 'x.md', '.md'])}`,
  'very long paths': (any) =>
    `${any(STARTS)}${any(['l'.repeat(2000), 'part/'.repeat(400), 'x'.repeat(200).concat('/').repeat(15)])}${any(LEAVES)}`,
  'deep nesting': (any) =>
    `${any(['d/', 'Notes/', '../', './', 'a.md/'])}`.repeat(any([20, 100, 300])).concat(any(LEAVES)),
  'another normal form': (any) =>
    any([
      'Notes/cafe\u0301.md',
      'Notes/caf\u00e9.md',
      'Notes/CAFE\u0301.MD',
      'No\u0301tes/a.md',
      'inde\u0301x.md',
      'Notes/\u212bngstr\u00f6m.md',
    ]),
  'another case': (any) =>
    any([
      'NOTES/A.MD',
      'notes/a.md',
      'Notes/A.md',
      'nOtEs',
      'Notes/DEEP/c.md',
      'OUT/canary.md',
      'Out',
      'ROOT.md',
      'Notes/Report.PDF',
      'ﬁles/a.md',
      'Notes/ſ.md',
    ]),
  'the generated page': (any) =>
    `${any(['', './', '/', 'Notes/../', '//'])}${any(['index.md', 'INDEX.md', 'Index.MD', 'iNdEx.Md', 'ındex.md', 'İndex.md', 'index.md/', 'index.md/x.md'])}`,
  'protected entries': (any) => `${any(['', './', '/'])}${any(PROTECTED)}${any(['', '/', '/x.md', '/../canary.md'])}`,
  'protected entries in another case': (any) => any(PROTECTED).toUpperCase(),
  'protected entries, encoded': (any) => spelled(any(PROTECTED).replaceAll('.', any(['%2e', '%2E', '%252e']))),
  'protected entries behind something unseen': (any) => `${any(INVISIBLE)}${any(PROTECTED)}`,
  'names like temporary files': (any) =>
    `${any(STARTS)}${any(['.vault-mcp-x.tmp', '.vault-mcp-00000000-0000-4000-8000-000000000000-0123abcd.tmp', 'vault-mcp.tmp', '.~lock.a.md#', 'a.md~', '.a.md.swp', '#a.md#'])}`,
  'links to folders': (any) => `${any(LINKS)}/${any(BELOW)}`,
  'links themselves': (any) => `${any([...LINKS, ...FILE_LINKS])}${any(['', '/', '/.', '//'])}`,
  'links to files': (any) => `${any(FILE_LINKS)}${any(['', '/x.md', '/../canary.md'])}`,
  'links over links': (any) =>
    `${any(['up/vault/', 'top/', 'up/outside/', 'inner/out/', 'inner/Deep/up/', 'self/self/'])}${any(BELOW)}`,
  'links, encoded': (any) =>
    spelled(`${any(['%6fut', 'o%75t', 'out%2f', 'Notes%2fout', '%75p'])}/${any(['canary.md', 'new.md', ''])}`),
  'files as folders': (any) =>
    `${any(['Notes/a.md', 'Notes/report.pdf', 'Notes/pic.png', 'pipe.md', 'Notes/hard.md'])}/${any(['b.md', '..', '../a.md', 'x/y/z.md', '.', '../../canary.md'])}`,
  'special files': (any) =>
    any([
      'pipe.md',
      'pipe.md/x.md',
      'socket.md',
      'Notes/pipe.md',
      'dev/null',
      '/dev/fd/0',
      '/proc/self/fd/3',
      '/proc/self/environ',
      `/proc/self/root${BASE}/canary.md`,
    ]),
  'device names': (any) => `${any(STARTS)}${any(DEVICES)}`,
  'homes and variables': (any) =>
    `${any(['~', '~root', '$HOME', `$${'{HOME}'}`, '%HOME%', '%USERPROFILE%', '$(pwd)', '~/..', '$VAULT_PATH'])}/${any(OUTSIDE)}`,
  'patterns and shell characters': (any) =>
    `${any(STARTS)}${any(SHELL)}${any(['', '/', '.md', '/*', ' --help'])}${any(['', 'x.md'])}`,
  'options of programs': (any) =>
    any([
      '-rf',
      '--',
      '--help',
      `-o${BASE}/new.md`,
      '--output=x.md',
      '-.md',
      '@file',
      `@${BASE}/canary.md`,
      '%s%s%n.md',
      '%x.md',
    ]),
  addresses: (any) =>
    `${any(['http://localhost/', 'file://', 'file:', 'vault://note/', 'data:,', 'javascript:', 'ftp://a@b/', '//evil.example/'])}${any([`${BASE}/canary.md`, '../canary.md', 'Notes/a.md'])}`,
  'queries and fragments': (any) =>
    `Notes/a.md${any(['?raw', '?map&recursive', '#part', '?path=../canary.md', '%3fraw', ';v=1', '&x', '?permanent'])}`,
  'unseen characters': (any) =>
    `${any(STARTS)}${any(['', 'a', '..', 'index'])}${any(INVISIBLE)}${any(['.md', '/canary.md', '/../canary.md', 'x.md'])}`,
  'half characters': (any) => `${any(STARTS)}${any(SURROGATES)}${any(['.md', '/x.md', ''])}`,
  'names of objects': (any) =>
    any([
      '__proto__/x.md',
      'constructor',
      'toString.md',
      '__proto__',
      'hasOwnProperty/prototype.md',
      'null',
      'undefined',
      'NaN.md',
      'true',
      '0',
    ]),
  nothing: (any) => any(['', '/', '//', ' ', '\t', '\u00a0', '.', './.', '\u200b']),
  'other mounts': (any) =>
    `${any(['../mcp', '../search', '../folder/Notes', '../vault/Notes/a.md', '../../healthz', '..%2fmetrics', 'Notes/../../reindex'])}`,
};

/** Kinds of tricks there are. */
export const TRICK_KINDS = Object.keys(TRICKS);

/**
 * @param count how many different ones; the same count gives the same paths
 * @param base the folder around the vault
 */
export function hostilePaths(count: number, base: string): HostilePath[] {
  const random = seeded(0x5eed);
  const any: Random = (choices) => choices[Math.floor(random() * choices.length)] as (typeof choices)[number];
  const found = new Map<string, HostilePath>();
  for (let round = 0; found.size < count; round++) {
    const kind = TRICK_KINDS[round % TRICK_KINDS.length] ?? '';
    const made = TRICKS[kind]?.(any) ?? '';
    // A kind that has said all it can is said again after something harmless.
    const varied = round > count ? `${any(['Notes/Deep/', './', 'x/../', 'New folder/', 'a/b/c/'])}` : '';
    const path = typeof made === 'string' ? { text: varied + made, target: encoded(varied + made) } : made;
    const key = JSON.stringify([path.text, path.target]);
    if (!found.has(key)) found.set(key, { kind, ...path });
  }
  return [...found.values()].map(({ kind, text, target }) => ({
    kind,
    text: text.replaceAll(BASE, base),
    target: target.replaceAll(BASE, base),
  }));
}

/** The URL is spelled as it stands; where a text is wanted, the very same characters are it. */
function spelled(target: string): { text: string; target: string } {
  return { text: target, target: encoded(target, SAFE_AND_PERCENT) };
}

/** What a request line can hold and no parser takes for the end of the path. */
const SAFE = /[\w\-./~!$&'()*+,;=:@\\|^`{}[\]"<>]/;
const SAFE_AND_PERCENT = new RegExp(`${SAFE.source}|%`);

/** Percent-encodes the rest. Half a character goes as the three bytes it would be. */
function encoded(text: string, safe: RegExp = SAFE): string {
  const encodedByte = (byte: number) => `%${byte.toString(16).padStart(2, '0')}`;
  return [...text].map((one) => (safe.test(one) ? one : [...bytesOf(one)].map(encodedByte).join(''))).join('');
}

function bytesOf(character: string): Uint8Array {
  const unit = character.charCodeAt(0);
  const isHalf = character.length === 1 && unit >= 0xd800 && unit <= 0xdfff;
  if (!isHalf) return Buffer.from(character);
  return Uint8Array.of(0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f));
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
