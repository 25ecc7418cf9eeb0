import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { readingSuite } from '../../../../test/support/reading-context.ts';
import { calloutsText } from '../rendering/callouts-text.ts';
import { parseInput } from './input.ts';
import { listCallouts, listCalloutsInput } from './list-callouts.ts';

const FILES = {
  'House/Roof.md': '# Roof\n\n> [!TODO] Call Ruth\n> Before it rains.\n\n> [!warning]-\n',
  'Plan.md': '> [!todo] Paint\n\n> [!bug]\n> It leaks.\n> ![x](y)\n\n> quoted\n',
  'Plan.sync-conflict-1.md': '> [!todo] Nobody’s\n',
  '.hidden/a.md': '> [!todo] Hidden\n',
  'Large.md': `> [!todo] Large\n${'x'.repeat(3000)}`,
  'Plain.md': 'Nothing.\n',
};
const suite = readingSuite(FILES, { NOTE_MAX_BYTES: '2000' });
const list = (input: Record<string, unknown> = {}) => listCallouts(suite.context, parseInput(listCalloutsInput, input));
const titles = async (input?: Record<string, unknown>) =>
  (await list(input)).callouts.map(({ note, line, type, title }) => `${note}:${line} ${type} ${title}`);

describe('the callouts of a vault', () => {
  it('stand in the order of paths and lines, each with all that is known of it', async () => {
    expect(await titles()).toEqual([
      'House/Roof.md:3 todo Call Ruth',
      'House/Roof.md:6 warning ',
      'Plan.md:1 todo Paint',
      'Plan.md:3 bug ',
    ]);
    expect((await list()).callouts[3]).toEqual({
      ...{ note: 'Plan.md', line: 3, type: 'bug', severity: 'error', title: '', body: 'It leaks.\n![x](y)' },
    });
  });

  it('are counted by severity and by type', async () => {
    expect((await list()).counts).toEqual({
      total: 4,
      by_severity: { error: 1, warning: 1, info: 2 },
      by_type: { todo: 2, bug: 1, warning: 1 },
    });
  });

  it('are narrowed by folder and by type, and counted so', async () => {
    expect(await titles({ dir: 'House' })).toEqual(['House/Roof.md:3 todo Call Ruth', 'House/Roof.md:6 warning ']);
    expect(await titles({ type: 'Todo' })).toEqual(['House/Roof.md:3 todo Call Ruth', 'Plan.md:1 todo Paint']);
    expect((await list({ type: 'todo', dir: 'House' })).counts.total).toBe(1);
  });

  it('are the same answer as long as they are the same, and so for each question', async () => {
    const first = await list();
    // Until then, what has just been written is read again each time.
    await vi.waitFor(async () => expect(await list()).toBe(await list()), { timeout: 20_000, interval: 100 });
    expect(await list({ type: 'todo' })).not.toEqual(first);
    expect(await list()).toEqual(first);
    suite.put('Large too.md', 'x'.repeat(3000));
    try {
      expect((await list()).left_out).toHaveLength(2);
    } finally {
      rmSync(join(suite.context.vault.root, 'Large too.md'));
    }
    expect(await list()).toEqual(first);
  });

  it('are said to lack those of notes that could not be asked', async () => {
    expect((await list()).left_out).toEqual([{ path: 'Large.md', reason: expect.stringContaining('2000 bytes') }]);
  });

  it('are those of the files as they are now', async () => {
    suite.put('Now.md', '> [!todo] One\n');
    expect(await titles()).toContain('Now.md:1 todo One');
    suite.put('Now.md', '> [!todo] Two\n');
    expect(await titles()).toContain('Now.md:1 todo Two');
  });

  it('as text are a line each, with a body that cannot pass for another', async () => {
    suite.put('Now.md', '> [!todo] One\n> Plan.md, line 1: [todo] no\n');
    const text = calloutsText(await list({ type: 'todo' }));
    expect(text.split('\n').slice(0, 5)).toEqual([
      '3 callouts: error 0, warning 0, info 3.',
      'House/Roof.md, line 3: [todo] Call Ruth',
      '    Before it rains.',
      'Now.md, line 1: [todo] One',
      '    Plan.md, line 1: [todo] no',
    ]);
    expect(text).toContain('Could not be asked:\nLarge.md | ');
  });

  it('are those that the vault’s own script gives, where it is run', async () => {
    const callouts = [
      { note: 'House/Roof.md', line: 3, type: 'Bug', state: 'open' },
      { note: 'Plan.md', severity: 'warning', title: 'No type' },
    ];
    const told = [
      { note: 'House/Roof.md', line: 3, type: 'bug', severity: 'error', title: '', body: '' },
      { note: 'Plan.md', severity: 'warning', title: 'No type', body: '' },
    ];
    const answer = (text: string) => suite.put('.scripts/extract_callouts.py', `print('${text}')\n`);
    answer(JSON.stringify({ callouts }));
    const run = { ...suite.context, config: { ...suite.context.config, maintenance: { scripts: true as const } } };
    const own = (input = {}) => listCallouts(run, parseInput(listCalloutsInput, input));
    try {
      expect(await own()).toEqual({
        ...{ source: 'script', callouts: told, left_out: [], script: null },
        counts: { total: 2, by_severity: { error: 1, warning: 1, info: 0 }, by_type: { bug: 1 } },
      });
      for (const dir of ['House', '/House/', 'House//']) {
        expect((await own({ dir })).callouts).toEqual([told[0]]);
      }
      expect((await own({ type: 'bug' })).callouts).toEqual([told[0]]);
      expect(calloutsText(await own())).toBe(
        '2 callouts, by the script of the vault: error 1, warning 1, info 0.\nHouse/Roof.md, line 3: [bug]\nPlan.md: [] No type\n',
      );
      answer('oh no');
      const { source, script, counts } = await own();
      expect([source, counts.total > 2]).toEqual(['built-in', true]);
      expect(script).toEqual({
        file: '.scripts/extract_callouts.py',
        reason: expect.stringContaining('no JSON object'),
      });
      expect((await list()).script?.reason).toContain('could change .scripts');
      expect(calloutsText(await list())).toContain(
        '.scripts/extract_callouts.py did not give them: maintenance.scripts',
      );
    } finally {
      rmSync(join(suite.context.vault.root, '.scripts'), { recursive: true });
    }
  });

  it('of a script are those of a folder as it is spelt on disk, whatever the normal form of its name', async () => {
    suite.put('Cafe\u0301/Menu.md', '');
    suite.put('Cafe\u0301s/Menu.md', '');
    const notes = ['Caf\u00e9/Menu.md', 'Cafe\u0301/Menu.md', 'Cafe\u0301s/Menu.md', 'Caf\u00e9.md'];
    const text = JSON.stringify({ callouts: notes.map((note) => ({ note })) });
    suite.put('.scripts/extract_callouts.py', `print(r'${text}')\n`);
    const run = { ...suite.context, config: { ...suite.context.config, maintenance: { scripts: true as const } } };
    try {
      for (const dir of ['Caf\u00e9', 'Cafe\u0301']) {
        const { callouts } = await listCallouts(run, { dir });
        expect(callouts.map(({ note }) => note)).toEqual(notes.slice(0, 2));
      }
    } finally {
      for (const path of ['.scripts', 'Cafe\u0301', 'Cafe\u0301s'])
        rmSync(join(suite.context.vault.root, path), { recursive: true });
    }
  });

  it.each([
    [{ dir: 'Nowhere' }, 'not_found'],
    [{ dir: 'Plan.md' }, 'not_a_directory'],
    [{ dir: '.hidden' }, 'invalid_path'],
    [{ type: '' }, 'invalid_request'],
    [{ severity: 'error' }, 'invalid_request'],
  ])('are not to be had for %j', async (input, code) => {
    await expect((async () => list(input))()).rejects.toMatchObject({ code });
  });
});
