import { parseVaultPath } from '@vault-mcp/shared/vault/path';
import { expect, it } from 'vitest';
import { asVault } from '../../../../test/support/as-vault.ts';
import { sha256 } from '../../../../test/support/index-records.ts';
import { readingSuite } from '../../../../test/support/reading-context.ts';
import { etagOf } from './etag.ts';

const FILM = 'a long film'.repeat(100_000);
const PATH = parseVaultPath('Film.mp4');
const reading = readingSuite({ 'Film.mp4': FILM });

/** A vault that says how often a file was looked for to be opened, each time only once it is let. */
async function hashing() {
  const { vault, reader } = reading.context;
  const file = await vault.locate(PATH);
  let opened = 0;
  let letIn = () => {};
  const gate = new Promise<void>((resolve) => {
    letIn = resolve;
  });
  const counting = asVault({
    ...vault,
    async locate(path, options) {
      opened++;
      await gate;
      return vault.locate(path, options);
    },
  });
  const ask = (signal?: AbortSignal) => etagOf({ vault: counting, reader }, file, signal);
  return { ask, letIn, opened: () => opened };
}

it('reads a file once for all who ask at the same time, and never again', async () => {
  const { ask, letIn, opened } = await hashing();
  const asked = [ask(), ask(new AbortController().signal), ask()];
  letIn();
  expect(await Promise.all(asked)).toEqual(asked.map(() => sha256(FILM)));
  expect(await ask()).toBe(sha256(FILM));
  expect(opened()).toBe(1);
});

it('lets whoever gives up go at once, and goes on for the others', async () => {
  const { ask, letIn } = await hashing();
  const [one, gone] = [new AbortController(), new Error('gone')];
  const [left, staying] = [ask(one.signal), ask()];
  one.abort(gone);
  await expect(left).rejects.toBe(gone);
  await expect(ask(one.signal)).rejects.toBe(gone);
  letIn();
  expect(await staying).toBe(sha256(FILM));
});

it('reads no further once all have given up, and anew for the next', async () => {
  const { ask, letIn, opened } = await hashing();
  const all = new AbortController();
  const asked = Promise.allSettled([ask(all.signal), ask(all.signal)]);
  all.abort();
  expect((await asked).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  letIn();
  expect(await ask()).toBe(sha256(FILM));
  expect(opened()).toBe(2);
});

it('is of the bytes that are read, but not remembered when they are no longer those of the file asked for', async () => {
  const { ask, letIn, opened } = await hashing();
  letIn();
  await reading.put('Film.mp4', `${FILM}, cut anew`);
  expect([await ask(), await ask()]).toEqual([sha256(`${FILM}, cut anew`), sha256(`${FILM}, cut anew`)]);
  expect(opened()).toBe(2);
});
