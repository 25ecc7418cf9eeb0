/**
 * A program named tesseract, alone in a PATH that holds nothing else but what it and its callers need: whatever this
 * machine has of its own is out of sight. Danger: it is a real executable, so what it starts must end with it.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTempFolder } from './temp-folder.ts';

const TOOLS = ['cat', 'head', 'sleep', 'timeout'];

export interface FakeTesseract {
  /** What to set PATH to. */
  readonly path: string;
  /** @param page shell lines for each page, in place of answering WORDS in the language asked for */
  install(options?: { languages?: readonly string[]; listing?: string; page?: string }): void;
  uninstall(): void;
  /** The languages of each page it was given so far. */
  pages(): string[];
  /** Lets so many pages through, all in all, where `page` is HELD. */
  letThrough(pages: number): void;
  remove(): Promise<void>;
}

const WORDS = 'echo "The lighthouse keeper counted seven barrels of whale oil, read in $4."';
/** Waits before it answers until the test lets this page through. */
export const HELD = `n=$(cat "$here/count"); while [ "$(cat "$here/allowed")" -lt "$n" ]; do sleep 0.05; done; ${WORDS}`;

export async function fakeTesseract(): Promise<FakeTesseract> {
  const folder = await createTempFolder('tesseract');
  const program = join(folder.path, 'tesseract');
  const log = join(folder.path, 'pages');
  mkdirSync(folder.path, { recursive: true });
  for (const tool of TOOLS) {
    const found = ['/usr/bin', '/bin'].map((place) => join(place, tool)).find(existsSync);
    if (found) symlinkSync(found, join(folder.path, tool));
  }
  writeFileSync(join(folder.path, 'allowed'), '0');
  writeFileSync(join(folder.path, 'count'), '0');
  appendFileSync(log, '');
  return {
    path: folder.path,
    install({ languages = ['eng'], listing, page = WORDS } = {}) {
      const list =
        listing ?? `echo "List of available languages (${languages.length}):"; printf '%s\\n' ${languages.join(' ')}`;
      const lines = [
        '#!/bin/sh',
        `here="${folder.path}"`,
        `if [ "$1" = --list-langs ]; then ${list}; exit; fi`,
        'cat > /dev/null',
        `echo "$4" >> "${log}"`,
        'echo $(($(cat "$here/count") + 1)) > "$here/count"',
        page,
        '',
      ];
      writeFileSync(program, lines.join('\n'), { mode: 0o755 });
    },
    uninstall: () => rmSync(program, { force: true }),
    pages: () => readFileSync(log, 'utf8').split('\n').filter(Boolean),
    letThrough: (pages) => writeFileSync(join(folder.path, 'allowed'), String(pages)),
    remove: () => folder.remove(),
  };
}
