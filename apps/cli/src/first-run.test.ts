import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ensureExampleVault, hasExampleVault } from './first-run.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'vault-mcp-first-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it('puts a copy of the shipped example vault into the folder', () => {
  const path = ensureExampleVault(join(root, 'data'));
  expect(path).toBe(join(root, 'data', 'example-vault'));
  expect(readdirSync(path, { recursive: true }).filter((name) => String(name).endsWith('.md')).length).toBeGreaterThan(
    10,
  );
  expect(readdirSync(join(root, 'data'))).toEqual(['example-vault']);
});

it('never touches a copy that is there', () => {
  const path = ensureExampleVault(root);
  writeFileSync(join(path, 'mine.md'), 'my own');
  const [first = ''] = readdirSync(path).filter((name) => name.endsWith('.md') && name !== 'mine.md');
  rmSync(join(path, first));
  ensureExampleVault(root);
  expect(readFileSync(join(path, 'mine.md'), 'utf8')).toBe('my own');
  expect(existsSync(join(path, first))).toBe(false);
});

it('leaves nothing behind when the copy fails', () => {
  expect(() => ensureExampleVault(root, join(root, 'absent'))).toThrow();
  expect(hasExampleVault(root)).toBe(false);
  expect(readdirSync(root)).toEqual([]);
});

it('copies from the folder it is given', () => {
  mkdirSync(join(root, 'shipped'));
  writeFileSync(join(root, 'shipped', 'a.md'), '# A\n');
  expect(readFileSync(join(ensureExampleVault(root, join(root, 'shipped')), 'a.md'), 'utf8')).toBe('# A\n');
});
