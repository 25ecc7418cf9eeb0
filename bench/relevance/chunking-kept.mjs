/**
 * What was measured of each set, kept as JSON beside this file, so that one set can be measured again and the report be of all of them.
 * Danger: figures of two days stand in one table; so each set says when and how it was measured.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), 'chunking');

/** @param {import('./chunking-report.mjs').MeasuredRules} set */
export function keepMeasured(set, folder = FOLDER) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileOf(folder, set.name), `${JSON.stringify(set, rounded, 2)}\n`);
}

/**
 * @param {readonly string[]} names in the order wanted; what was never measured is left out
 * @returns {import('./chunking-report.mjs').MeasuredRules[]}
 */
export function readKept(names, folder = FOLDER) {
  return names
    .map((name) => fileOf(folder, name))
    .filter((file) => existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')));
}

function fileOf(folder, name) {
  return join(folder, `${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.json`);
}

/** More digits than are shown, and no more than a diff needs. */
function rounded(_key, value) {
  return typeof value === 'number' ? Number(value.toFixed(6)) : value;
}
