import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@vault-mcp/shared/log';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createOcrReadiness } from './ocr-readiness.ts';

let bin: string;
beforeAll(() => {
  bin = mkdtempSync(join(tmpdir(), 'ocr-readiness-test-'));
});
afterAll(() => rmSync(bin, { recursive: true, force: true }));

/** Puts a program of that name in PATH, which has these languages. */
function install(...languages: string[]): void {
  const program = join(bin, 'tesseract');
  writeFileSync(program, `#!/bin/sh\necho asked >> "$(dirname "$0")/asked"\nprintf '%s\\n' ${languages.join(' ')}\n`);
  chmodSync(program, 0o755);
}

function readiness(ocr: boolean, elsewhere = false) {
  const lines: { msg: string; reason?: string }[] = [];
  const logger = createLogger({
    name: 'test',
    level: 'info',
    destination: { write: (line: string) => void lines.push(JSON.parse(line)) },
  });
  const environment = { PATH: `${bin}:/usr/bin:/bin` };
  return { lines, ...createOcrReadiness({ ocr, elsewhere, ocrLanguages: ['deu', 'eng'], environment, logger }) };
}

it('says once what is missing, and tells when it is there', async () => {
  install('eng');
  const { lines, state, refresh } = readiness(true);
  expect(await refresh()).toBe(false);
  expect(state()).toEqual({
    enabled: true,
    languages: ['deu', 'eng'],
    error: expect.stringContaining('tesseract-ocr-deu'),
  });
  expect(await refresh()).toBe(false);
  install('eng', 'deu');
  expect(await refresh()).toBe(true);
  expect(state().error).toBeNull();
  expect(await refresh()).toBe(true);
  expect(lines.map(({ msg }) => msg)).toEqual([
    'scans cannot be read: each is listed as needs_ocr',
    'scans can be read now',
  ]);
  expect(lines[0]?.reason).toContain('lacks the language data for deu');
});

it('asks nobody where OCR is off', async () => {
  install();
  const { lines, state, refresh } = readiness(false);
  expect(await refresh()).toBe(false);
  expect([state(), lines]).toEqual([{ enabled: false, languages: ['deu', 'eng'], error: null }, []]);
});

it('takes over what whoever read a scan has found missing, without asking again, and says that others are left it', async () => {
  const { lines, state, lacking, refresh } = readiness(true, true);
  lacking('tesseract is not installed here.');
  expect(state().error).toBe('tesseract is not installed here.');
  expect(lines).toMatchObject([{ msg: 'scans are left to others', reason: 'tesseract is not installed here.' }]);
  install('eng', 'deu');
  expect(await refresh()).toBe(true);
  expect([state().error, lines.at(-1)?.msg]).toEqual([null, 'scans can be read now']);
});
