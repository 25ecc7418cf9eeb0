import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ADA, CANDIDATE, type GateVault, gateVault } from '../../../../test/support/gate-vault.ts';
import { STAMP } from '../../../../test/support/writing-context.ts';
import { parseInput } from './input.ts';
import { type RestoreAnswer, restoreDiscard, restoreDiscardInput } from './restore-discard.ts';

let vault: GateVault;
beforeEach(async () => {
  vault = await gateVault();
});
afterEach(() => vault.remove());

const restore = (n: number, more: object = {}, context: Partial<GateVault['context']> = {}): Promise<RestoreAnswer> =>
  restoreDiscard({ ...vault.context, ...context }, parseInput(restoreDiscardInput, { n, ...more }), {
    agent: 'operator',
  });

const UNLIKE = { title: 'Quince jelly', type: 'recipe', namespace: 'Kitchen', body: 'It sets with pectin.' };
const PATH = 'Kitchen/quince-jelly.md';

/** Discards a candidate of its own. @returns its number */
const discard = (id: string, candidate: object = { ...UNLIKE, frontmatter: { source: 'Delia' } }): Promise<number> =>
  vault.context.discards.append({ id, kind: 'expired', agent: 'scribe', candidate: candidate as typeof UNLIKE });

const replaced = (text: string, path = 'Facts/ada.md'): Promise<number> =>
  vault.context.discards.append({ id: 'r', kind: 'replaced', agent: 'scribe', note: { path, etag: 'e', text } });

describe('a discard that is restored', () => {
  it('is proposed as it was, and marked with the note that it is now', async () => {
    const n = await discard('a');
    expect(await restore(n)).toMatchObject({ status: 'done', action: 'create', path: PATH, restores: n });
    expect((await vault.notes())[PATH]).toBe(
      `---\ntype: recipe\ntitle: Quince jelly\ntimestamp: ${STAMP}\nsource: Delia\n---\nIt sets with pectin.\n`,
    );
    expect(await vault.context.discards.show(n)).toMatchObject({ restored: PATH });
  });

  it('is shown what is similar by now, and what is decided then is done', async () => {
    const n = await discard('a', { ...CANDIDATE });
    const shown = await restore(n);
    if (shown.status !== 'decide') throw new Error('nothing was shown');
    expect(shown).toMatchObject({ restores: n, similar: [{ path: 'Facts/ada.md' }] });
    expect(await vault.context.discards.show(n)).toMatchObject({ restored: null });
    const decision = { action: 'supersede', target: 'Facts/ada.md' };
    const answer = await restore(n, { token: shown.token, decision });
    expect(answer).toMatchObject({ status: 'done', action: 'supersede', superseded: 'Facts/ada.md', restores: n });
    const path = 'path' in answer ? answer.path : '';
    expect(await vault.context.discards.show(n)).toMatchObject({ restored: path });
    // Sent once more, it answers as then, and is marked once.
    expect(await restore(n, { token: shown.token, decision })).toMatchObject({ path });
    expect(await vault.context.discards.stats()).toMatchObject({ restored: 1 });
  });

  it('and discarded again stays unmarked, and what is discarded is kept once more', async () => {
    const n = await discard('a', { ...CANDIDATE });
    const shown = await restore(n);
    const token = 'token' in shown ? shown.token : '';
    expect(await restore(n, { token, decision: { action: 'discard' } })).toMatchObject({
      ...{ status: 'done', path: null, discard: n + 1, restores: n },
    });
    expect(await vault.context.discards.stats()).toEqual({ count: 2, restored: 0, damaged: 0 });
  });

  it('is not filed among the pages of the wiki, which grow by facts', async () => {
    const n = await replaced('---\ntitle: Ruth\n---\n# Ruth\n\n## Updates\n\n- Drinks tea.\n', 'Wiki/ruth.md');
    await vault.refused(() => restore(n), 'invalid_path', /wiki_append: send the fact there/);
  });

  it('is not restored twice, unless that is asked for', async () => {
    const n = await discard('a');
    await restore(n);
    await vault.refused(() => restore(n), 'already_exists', new RegExp(`restored as "${PATH}"`));
    await vault.indexed.settled();
    const shown = await restore(n, { again: true });
    expect(shown).toMatchObject({ status: 'decide', similar: [{ path: PATH }] });
  });

  it('that cannot be marked is a note all the same, and says so', async () => {
    const n = await discard('a');
    const { discards } = vault.context;
    const failing = { ...bound(discards), markRestored: () => Promise.reject(new Error('no room')) };
    expect(await restore(n, {}, { discards: failing })).toMatchObject({
      status: 'done',
      path: PATH,
      remarks: [expect.stringMatching(/could not be marked as restored: no room/)],
    });
  });

  it('is refused where there is none, and where nothing is written', async () => {
    await vault.refused(() => restore(7), 'not_found');
    const n = await discard('a');
    const { config } = vault.context;
    const readOnly = { ...config, server: { ...config.server, read_only: true } };
    await vault.refused(() => restore(n, {}, { config: readOnly }), 'out_of_scope');
  });
});

describe('text that a write took the place of', () => {
  it('is restored with what its block said, but for what the gate says itself', async () => {
    const block =
      'type: person\ntitle: Wanda\ntags: [family]\nempty:\nvault_agent: scribe\ntimestamp: 2020-01-01T00:00:00Z';
    const n = await replaced(`---\n${block}\n---\n\nShe collects clocks.\n`, 'People/Wanda Otto.md');
    const answer = await restore(n);
    expect(answer).toMatchObject({ action: 'create', path: 'People/wanda.md' });
    expect((await vault.notes())['People/wanda.md']).toBe(
      `---\ntype: person\ntitle: Wanda\ntags:\n  - family\ntimestamp: ${STAMP}\n---\nShe collects clocks.\n`,
    );
  });

  it('is named after its file where it says nothing of itself', async () => {
    const n = await replaced('- She likes tea. (added 2026-07-01)', 'Wanda Otto.md');
    expect(await restore(n)).toMatchObject({ action: 'create', path: 'wanda-otto.md' });
    expect((await vault.notes())['wanda-otto.md']).toContain('type: note\ntitle: Wanda Otto\n');
  });

  it('is compared with what took its place', async () => {
    const n = await replaced(ADA);
    expect(await restore(n)).toMatchObject({ status: 'decide', similar: [{ path: 'Facts/ada.md' }] });
  });

  it.each([
    ['its type is a link', 'type: "[[Person]]"', 'type: note\n'],
    ['its type is a path', 'type: reference/place', 'type: note\n'],
    ['its title is long', `title: ${'wander '.repeat(60)}`, `title: ${'wander '.repeat(29).slice(0, 200)}\n`],
    ['its title has two lines', 'title: "Ruth\\n Otto"', 'title: Ruth Otto\n'],
  ])('is restored also where %s, which the gate takes from nobody', async (_what, line, expected) => {
    const n = await replaced(`---\n${line}\n---\nShe collects clocks.\n`, 'People/ruth.md');
    const answer = await restore(n);
    expect(answer).toMatchObject({ action: 'create' });
    expect((await vault.notes())['path' in answer ? (answer.path ?? '') : '']).toContain(expected);
  });

  it('is restored whole where it is longer than a proposal may be', async () => {
    const text = `# Clocks\n\n${'It strikes the hour, and is five minutes slow.\n'.repeat(1_500)}`;
    const answer = await restore(await replaced(text, 'People/clocks.md'));
    expect(answer).toMatchObject({ action: 'create', path: 'People/clocks.md' });
    expect((await vault.notes())['People/clocks.md']).toContain(text.trim());
  });

  it('and stood on a wiki page is sent where facts are sent', async () => {
    const n = await replaced('- Drinks tea. (added 2026-07-01)', 'Wiki/ruth.md');
    await vault.refused(
      () => restore(n),
      'invalid_path',
      /^Discard 1 stood on the wiki page "Wiki\/ruth.md".*wiki_append/,
    );
  });

  it('whose block cannot be read is left to a person', async () => {
    const n = await replaced('---\ntitle: [\n---\nText\n');
    await vault.refused(() => restore(n), 'invalid_value', /show it, and write the note yourself/);
  });
});

/** Its methods, free of the object. */
function bound(discards: GateVault['context']['discards']): GateVault['context']['discards'] {
  return {
    append: (entry) => discards.append(entry),
    list: (range) => discards.list(range),
    show: (n) => discards.show(n),
    markRestored: (n, path) => discards.markRestored(n, path),
    stats: () => discards.stats(),
  };
}
