/** config.example.yaml is the whole surface, each value at its default: compared with the schema in both directions. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { nest } from './complete.ts';
import { fileLayer } from './file-layer.ts';
import { KEYS } from './key-table.ts';

const PATH = fileURLToPath(new URL('../../../../config.example.yaml', import.meta.url));
const text = readFileSync(PATH, 'utf8');
const inFile = [...KEYS.values()].filter(({ setting }) => setting.secret !== true);

describe('config.example.yaml', () => {
  it('loads without a complaint', () => {
    expect(fileLayer(PATH, true, readFileSync).problems).toEqual([]);
  });

  it('holds every key at its default and no other', () => {
    const defaults = new Map(inFile.map(({ name, setting }) => [name, setting.default]));
    expect(parse(text)).toEqual(nest(defaults));
  });

  it.each(inFile.map(({ name, setting }) => [name, setting] as const))('explains %s in a comment', (name, setting) => {
    const leaf = name.slice(name.indexOf('.') + 1);
    const variable = setting.variable === null ? 'file only' : setting.variable;
    const indent = name.includes('.') ? '  ' : '';
    const pattern = new RegExp(`((?:^${indent}# .*\n)+)${indent}${leaf}: `, 'gm');
    const comments = [...text.matchAll(pattern)].map((match) => (match[1] ?? '').replaceAll(/\n? *# /g, ' '));
    expect(comments.some((comment) => comment.includes(`[${variable}]`) && comment.includes(setting.doc))).toBe(true);
  });

  it('names the variable of every secret and sets none', () => {
    for (const { setting } of KEYS.values()) {
      if (setting.secret === true) expect(text).toMatch(new RegExp(`^# +${setting.variable} `, 'm'));
    }
    expect(text).not.toMatch(/^\s*(api_key|metrics_key):/m);
  });
});
