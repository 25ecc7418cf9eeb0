import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { ANYWHERE, writingSuite } from '../../../../test/support/writing-context.ts';
import { parseInput } from './input.ts';
import { patchNote, patchNoteInput } from './patch-note.ts';

const PLAN = [
  '# Plan',
  '',
  'Intro.',
  '',
  '## Costs',
  '',
  'About ten. ^costs',
  '',
  '### Labour',
  '',
  'Four.',
  '',
  '## Open',
  '',
  '- Roof',
  '',
].join('\n');
const TWICE = '# A\n\n## Notes\n\n1\n\n# B\n\n## Notes\n\n2\n';

const vault = writingSuite({ 'Plan.md': PLAN, 'Twice.md': TWICE, 'Meta.md': '---\ntitle: M\n---\n\nBody.\n' });

type Patch = Omit<z.infer<typeof patchNoteInput>, 'path'>;
const patch = (input: Patch, path = 'Plan.md') => patchNote(vault.context, { path, ...input }, ANYWHERE);
const text = async (path = 'Plan.md') => (await vault.everything())[path];

describe('patching a section', () => {
  it('appends below it, joining its list', async () => {
    await patch({ target: 'Plan::Open', operation: 'append', content: '- Cellar' });
    expect(await text()).toBe(PLAN.replace('- Roof\n', '- Roof\n- Cellar\n'));
  });

  it('replaces it and names the subsections that are gone with it', async () => {
    const answer = await patch({ target: 'Costs', operation: 'replace', content: 'Twelve.' });
    expect(answer.removed_subsections).toEqual(['Labour']);
    expect(await text()).toBe(PLAN.replace(/About ten[\s\S]*Four\./, 'Twelve.'));
  });

  it.each<[Patch['scope'], Patch['operation'], string, RegExp, string]>([
    ['own', 'replace', 'Twelve.', /About ten\. \^costs/, 'Twelve.'],
    ['marker', 'replace', '## Prices', /## Costs/, '## Prices'],
    ['markerAndContent', 'delete', '', /## Costs[\s\S]*Four\.\n\n/, ''],
    ['content', 'prepend', 'First.', /(?=About)/, 'First.\n\n'],
  ])('knows the scope %s', async (scope, operation, content, old, expected) => {
    await patch({ target: 'Costs', scope, operation, content });
    expect(await text()).toBe(PLAN.replace(old, expected));
  });

  it('takes a list for a target, and another delimiter', async () => {
    await patch({ target: ['Plan', 'Costs', 'Labour'], operation: 'replace', content: 'Five.' });
    expect(await text()).toBe(PLAN.replace('Four.', 'Five.'));
    await patch({ target: 'Plan/Costs/Labour', target_delimiter: '/', operation: 'replace', content: 'Six.' });
    expect(await text()).toBe(PLAN.replace('Four.', 'Six.'));
  });

  it('makes a missing heading only when asked to', async () => {
    const call: Patch = { target: 'Plan::Risks', operation: 'append', content: 'Rain.' };
    await vault.refused(() => patch(call), 'no_such_heading', /Costs/);
    const answer = await patch({ ...call, create_if_missing: true });
    expect(answer.created_headings).toEqual(['Risks']);
    expect(await text()).toBe(`${PLAN}\n## Risks\n\nRain.\n`);
  });

  it('never guesses which of several was meant', async () => {
    const call: Patch = { target: 'Notes', operation: 'append', content: 'More.' };
    await vault.refused(() => patch(call, 'Twice.md'), 'ambiguous_heading', /A::Notes[\s\S]*B::Notes/);
    await patch({ ...call, target: 'Notes[2]' }, 'Twice.md');
    expect(await text('Twice.md')).toBe(`${TWICE}\nMore.\n`);
  });

  it('refuses text that would hide the headings below it', async () => {
    await vault.refused(() => patch({ target: 'Costs', operation: 'append', content: '```' }), 'invalid_value');
  });
});

describe('a patch by one who saw another version', () => {
  it('may send the etag with the quotes that headers and sentences put around it', async () => {
    const { etag } = await patch({ target: 'Open', operation: 'append', content: '- A' });
    const call = { path: 'Plan.md', target: 'Open', operation: 'append', content: '- B', expected_etag: `"${etag}"` };
    await patchNote(vault.context, parseInput(patchNoteInput, call), ANYWHERE);
    expect(await text()).toContain('- A\n- B\n');
  });

  it('hears of that first, whatever else is wrong with it', async () => {
    const call: Patch = { target: 'Nowhere', operation: 'append', content: 'A.', expected_etag: 'other' };
    await vault.refused(() => patch(call), 'precondition_failed');
  });
});

describe('patching a block', () => {
  it('replaces it and keeps its id', async () => {
    await patch({ target_type: 'block', target: '^costs', operation: 'replace', content: 'About twelve.' });
    expect(await text()).toBe(PLAN.replace('About ten.', 'About twelve.'));
    await patch({ target_type: 'block', target: ['costs'], operation: 'append', content: 'Or more.' });
    expect(await text()).toContain('About twelve. ^costs\n\nOr more.\n\n### Labour');
  });

  it('takes a ^id alone for one, as the map shows it, unless it is said to be a heading', async () => {
    await patch({ target: ' ^costs ', operation: 'replace', content: 'About twelve.' });
    expect(await text()).toBe(PLAN.replace('About ten.', 'About twelve.'));
    await vault.refused(() => patch({ target: '^no', operation: 'delete' }), 'no_such_block');
    const heading: Patch = { target_type: 'heading', target: '^costs', operation: 'delete' };
    await vault.refused(() => patch(heading), 'no_such_heading');
    await vault.refused(() => patch({ ...heading, target_type: undefined, target: ['^costs'] }), 'no_such_heading');
  });

  it('refuses one that is not there, asked to make it or not', async () => {
    const call: Patch = { target_type: 'block', target: '^no', operation: 'delete' };
    await vault.refused(() => patch(call), 'no_such_block');
    await vault.refused(() => patch({ ...call, create_if_missing: true }), 'no_such_block');
  });
});

describe('patching the body', () => {
  it.each<[Patch['operation'], string | undefined, string]>([
    ['replace', 'New.', '\nNew.\n'],
    ['append', 'End.', '\nBody.\n\nEnd.\n'],
    ['prepend', 'Start.', '\nStart.\n\nBody.\n'],
    ['delete', undefined, ''],
  ])('%ss below the frontmatter', async (operation, content, body) => {
    await patch({ target_type: 'body', operation, content }, 'Meta.md');
    expect((await text('Meta.md'))?.replace(/timestamp.*\n/, '')).toBe(`---\ntitle: M\n---\n${body}`);
  });
});

describe('a patch that makes no sense', () => {
  it.each<[string, Patch]>([
    ['no target', { operation: 'append', content: 'A.' }],
    ['no content', { target: 'Costs', operation: 'append' }],
    ['a target for the body', { target_type: 'body', target: 'Costs', operation: 'append', content: 'A.' }],
    ['a scope for a block', { target_type: 'block', target: '^costs', scope: 'own', operation: 'delete' }],
    ['several ids', { target_type: 'block', target: ['a', 'b'], operation: 'delete' }],
    ['a heading line appended to', { target: 'Costs', scope: 'marker', operation: 'append', content: 'A.' }],
  ])('is refused: %s', async (_name, call) => {
    await vault.refused(() => patch(call), 'invalid_request');
  });
});
