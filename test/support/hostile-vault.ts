/**
 * A vault that is full of ways out of it, with canaries behind each of them, and the question that every hostile call
 * has to answer in the end: was anything out there read, changed or made? Danger: what a canary says must never be part
 * of a request, or its echo in a refusal would look like a leak; and nothing here leads to a file that is not the test's
 * own, or a bug in the product would cost a machine.
 */
import { execFileSync } from 'node:child_process';
import {
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { fillVault, type VaultFiles } from './vault-files.ts';

const CANARY_TEXT = 'kanarienvogel-7c1e';
const PROTECTED_TEXT = 'verborgen-5d2a';
/** A name that only a listing could tell. */
const UNLISTED = 'ungenannt-93fb';
const LEAK = new RegExp(`${CANARY_TEXT}|${PROTECTED_TEXT}|${UNLISTED}|VITEST_POOL_ID`);

const canary = (place: string) => `# Canary\n\n${CANARY_TEXT} of ${place}\n\n## Part\n\n${CANARY_TEXT} ^block\n`;
const guarded = (place: string) => `# Guarded\n\n${PROTECTED_TEXT} of ${place}\n`;

/** Below the folder that holds `vault` and `data`. */
const OUTSIDE: VaultFiles = {
  'canary.md': canary('the parent folder'),
  'vault.md': canary('a file named like the vault'),
  'vault-sibling/canary.md': canary('a folder whose name begins like the vault'),
  'outside/canary.md': canary('a linked folder'),
  'outside/a.md': canary('a name that the vault has too'),
  [`outside/${UNLISTED}.md`]: canary('a listing'),
  'outside/Deep/canary.md': canary('a folder in a linked folder'),
  'outside/canary.pdf': canary('a linked document'),
  'etc-like/passwd': canary('a system folder'),
  'data/api-key': canary('the data folder'),
  'data/canary.md': canary('the data folder'),
};
/** Has a second name in the vault, which may be read and replaced there; the file out here stays. */
const SHARED = 'outside/shared.md';

/** In the vault; neither read nor changed, whatever is asked. */
const PROTECTED: VaultFiles = {
  '.obsidian/app.json': JSON.stringify({ theme: PROTECTED_TEXT }),
  '.obsidian/secret.md': guarded('the settings'),
  '.git/config': guarded('the repository'),
  '.git/hooks/pre-commit': guarded('the repository'),
  '.trash/kept.md': guarded('the trash'),
  'Guarded/.obsidian/secret.md': guarded('a folder below'),
};
/** Read by whoever asks, changed by its generator alone. */
const GENERATED = 'index.md';

/** What calls may read and change. */
const ORDINARY: VaultFiles = {
  'root.md': '# Root\n\n[[Notes/a]] and [[c]]\n',
  'Notes/a.md': '---\ntitle: A\n---\n# A\n\nalpha\n\n## Part\n\nA part. ^block\n',
  'Notes/b.md': '# B\n\n[a](a.md) ![[pic.png]]\n',
  'Notes/Deep/c.md': '# C\n\n[[../a]]\n',
  'Notes/cafe\u0301.md': '# Café\n',
  'Notes/report.pdf': 'not a PDF',
  'Notes/pic.png': 'not a PNG',
  'Guarded/open.md': '# Open\n',
};

/** Where in the vault, and what they lead to; absolute targets stand below the base. */
const LINKS: Readonly<Record<string, string>> = {
  out: '../outside',
  outer: '../outside/Deep',
  'etc-like': '/etc-like',
  up: '..',
  top: '/',
  inner: 'Notes',
  self: 'self',
  dangling: '../outside/not-there',
  'out.md': '../outside/canary.md',
  'out.pdf': '../outside/canary.pdf',
  'inner.md': 'Notes/a.md',
  'dangling.md': '../outside/not-there.md',
};
/** In folders that calls may move, so that these links may go with them. */
const MOVABLE_LINKS: Readonly<Record<string, string>> = {
  'Notes/out': '../../outside',
  'Notes/out.md': '../../outside/canary.md',
  'Notes/Deep/up': '../../..',
};

export interface HostileVault {
  /** Puts back what calls may have taken away, and takes away what they may have made. */
  restore(): void;
  /** What stands in an answer of the canaries and of what is protected; null when nothing does. */
  leak(answer: string): string | null;
  /** Everything that was read, changed, made or taken away where nothing may be. */
  damage(): string[];
  /** One line for each entry of the vault that stands outside a folder and the trash: another one once it is changed. */
  stateOutside(folder: string): string[];
}

/** @param base the folder that holds `vault` and `data` */
export function layTraps(base: string): HostileVault {
  const vault = join(base, 'vault');
  const inVault = (paths: object) => Object.keys(paths).map((path) => join(vault, path));
  fillVault(base, { ...OUTSIDE, [SHARED]: '# Shared\n' });
  fillVault(vault, { ...ORDINARY, ...PROTECTED, [GENERATED]: '# Index\n' });
  layLinks(base, LINKS);
  layLinks(base, MOVABLE_LINKS);
  execFileSync('mkfifo', [join(vault, 'pipe.md')]);
  linkSync(join(base, SHARED), join(vault, 'shared.md'));
  const known = new Set(namesBelow(vault));
  const unread = [...Object.keys(OUTSIDE).map((path) => join(base, path)), ...inVault(PROTECTED)];
  for (const path of unread) makeOld(path);
  const readsShow = doReadsShow(join(base, SHARED));
  const looked = () => [
    ...unread.map((path) => identity(path, readsShow)),
    ...[join(base, SHARED), join(vault, GENERATED), join(vault, 'pipe.md'), ...inVault(LINKS)].map((path) =>
      identity(path, false),
    ),
    ...[
      'outside',
      'outside/Deep',
      'vault-sibling',
      'etc-like',
      'vault/.obsidian',
      'vault/.git',
      'vault/.git/hooks',
    ].map((path) => identity(join(base, path), false)),
    ...namesBelow(base, (path) => path === 'vault' || OWN_DATA.test(path)).map((path) => `there is ${path}`),
  ];
  const before = new Set(looked());
  return {
    restore() {
      takeAwayUnknown(vault, known);
      for (const [path, content] of Object.entries(ORDINARY)) {
        if (!isThere(join(vault, path))) fillVault(vault, { [path]: content });
      }
      layLinks(base, MOVABLE_LINKS);
    },
    leak: (answer) => LEAK.exec(answer)?.[0] ?? null,
    damage() {
      const after = new Set(looked());
      const text = Object.entries(OUTSIDE).filter(([path, said]) => readFileSync(join(base, path), 'utf8') !== said);
      for (const path of unread) makeOld(path);
      return [
        ...[...before].filter((one) => !after.has(one)).map((one) => `was: ${one}`),
        ...[...after].filter((one) => !before.has(one)).map((one) => `is: ${one}`),
        ...text.map(([path]) => `says something else: ${path}`),
      ];
    },
    stateOutside(folder) {
      const names = namesBelow(vault, (path) => path === folder || path === '.trash');
      return names.map((name) => identity(join(vault, name), false));
    },
  };
}

function layLinks(base: string, links: Readonly<Record<string, string>>): void {
  for (const [path, target] of Object.entries(links)) {
    const link = join(base, 'vault', path);
    if (isThere(link)) continue;
    mkdirSync(join(link, '..'), { recursive: true });
    symlinkSync(target.startsWith('/') ? base + target : target, link);
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Read before it was changed, so that a disk with relative access times (the usual kind) notes the next reading. */
function makeOld(path: string): void {
  utimesSync(path, new Date('2001-01-01'), new Date('2002-01-01'));
}

/** Whether this disk tells that a file was read. */
function doReadsShow(file: string): boolean {
  makeOld(file);
  readFileSync(file);
  return lstatSync(file).atime.getFullYear() !== 2001;
}

/** One line that is another one when the entry is another, was changed, or (where that shows) was read. */
function identity(path: string, withReads: boolean): string {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) return `${path}: gone`;
  const read = withReads ? `, read ${stat.atime.toISOString()}` : '';
  const link = stat.isSymbolicLink() ? ` -> ${readlinkSync(path)}` : '';
  return `${path}${link}: inode ${stat.ino}, mode ${stat.mode.toString(8)}, changed ${stat.mtimeNs}${read}`;
}

/** What the server keeps in its data folder, which comes and goes while it runs. */
const OWN_DATA = /^data\/((index|cache|audit)\.db(-wal|-shm|-journal)?|(locks|move-intents)(\/.*)?|index\.lock.*)$/;

/** Every path below a folder, by way of no link. */
function namesBelow(base: string, isPassedOver: (path: string) => boolean = () => false): string[] {
  const names: string[] = [];
  const look = (folder: string): void => {
    for (const entry of readdirSync(join(base, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (isPassedOver(path)) continue;
      names.push(path);
      if (entry.isDirectory()) look(path);
    }
  };
  look('');
  return names;
}

function takeAwayUnknown(vault: string, known: ReadonlySet<string>, folder = ''): void {
  for (const entry of readdirSync(join(vault, folder), { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (!known.has(path)) rmSync(join(vault, path), { recursive: true, force: true });
    else if (entry.isDirectory()) takeAwayUnknown(vault, known, path);
  }
}
