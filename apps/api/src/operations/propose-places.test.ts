/** Where a candidate's note may not stand, and what becomes of the candidate then. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createAccess } from '@vault-mcp/shared/vault/access';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { viewOf } from '@vault-mcp/shared/vault/view';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CANDIDATE, type GateVault, gateVault, SCRIBE } from '../../../../test/support/gate-vault.ts';
import { propose } from './propose.ts';

let vault: GateVault;
beforeEach(async () => {
  vault = await gateVault();
});
afterEach(() => vault.remove());

describe('a candidate for which there is no place', () => {
  test('goes to the discard log when a thousand names are taken', async () => {
    const quince = { title: 'Quince', body: 'Marmelo jelly sets.', namespace: 'Taken' };
    // No notes, and in their place all the same.
    for (let i = 1; i <= 1000; i++)
      mkdirSync(join(vault.context.vault.root, `Taken/quince${i === 1 ? '' : `-${i}`}.md`), { recursive: true });
    const answer = await vault.done(quince);
    expect(answer).toMatchObject({ action: 'discard', path: null, discard: 1 });
    expect(answer.remarks).toEqual([expect.stringContaining('"vault-mcp discards restore 1"')]);
    expect(await vault.discards()).toMatchObject([{ kind: 'unplaceable', candidate: { body: quince.body } }]);
  });

  test('without a letter in its title is filed as a note all the same', async () => {
    const marks = { body: 'Interrobangs ask loudly.', namespace: '' };
    expect(await vault.done({ ...marks, title: '?!' })).toMatchObject({ path: 'note.md' });
    expect(await vault.done({ ...marks, title: '‽', body: 'Medlars blet in autumn.' })).toMatchObject({
      path: 'note-2.md',
    });
  });

  test('is written neither through a link nor over one', async () => {
    vault.put('Real/x.md', 'x');
    symlinkSync(join(vault.context.vault.root, 'Real'), join(vault.context.vault.root, 'Linked'));
    symlinkSync('/etc/passwd', join(vault.context.vault.root, 'Real', 'quince.md'));
    const quince = { title: 'Quince', body: 'Quince jelly sets.' };
    await vault.refused(() => vault.propose({ ...quince, namespace: 'Linked' }), 'invalid_path');
    expect(await vault.done({ ...quince, namespace: 'Real' })).toMatchObject({ path: 'Real/quince-2.md' });
  });

  test.each([
    ['below a file', { namespace: 'Facts/ada.md' }, 'not_a_directory'],
    ['in a folder that is there in another case', { namespace: 'FACTS' }, 'already_exists'],
    ['in a folder that the index leaves out', { namespace: 'Wiki/raw' }, 'invalid_path'],
    ['in a dotted folder', { namespace: '.git' }, 'invalid_path'],
  ])('%s is refused before it is recorded', async (_where, input, code) => {
    await vault.refused(() => vault.propose(input), code);
    expect(vault.context.proposals.counts()).toEqual({ open: 0, unsettled: 0, damaged: 0 });
  });

  test.each(['Wiki', 'wiki/People', 'Wiki/raw'])('in the wiki (%s) is sent to wiki_append', async (namespace) => {
    await vault.refused(() => vault.propose({ namespace }), 'invalid_path', /wiki_append: send the fact there/);
    await vault.refused(() => vault.propose({ namespace, dry_run: true }), 'invalid_path', /wiki_append/);
    expect(vault.context.proposals.counts()).toEqual({ open: 0, unsettled: 0, damaged: 0 });
  });

  test('may be a folder that its agent may only add to', async () => {
    const rules = [
      { prefix: '', read: true },
      { prefix: 'Inbox', write: 'append' },
    ] as const;
    const view = viewOf(vault.context.vault, createAccess(rules));
    const context = { ...vault.context, vault: view, writer: vault.context.writerFor(view) };
    const quince = { ...CANDIDATE, title: 'Quince', body: 'Quince jelly sets.', namespace: 'Inbox/New' };
    expect(await propose(context, quince, SCRIBE)).toMatchObject({ action: 'create', path: 'Inbox/New/quince.md' });
  });

  test('takes the next name where a rule denies the very path of the first', async () => {
    const rules = [
      { prefix: '', read: true },
      { prefix: 'Inbox', write: true },
      { prefix: 'Inbox/quince.md', write: false },
    ] as const;
    const view = viewOf(vault.context.vault, createAccess(rules));
    const context = { ...vault.context, vault: view, writer: vault.context.writerFor(view) };
    vault.put('Inbox/there.md', 'x');
    const quince = { ...CANDIDATE, title: 'Quince', body: 'Quince jelly sets.', namespace: 'Inbox' };
    expect(await propose(context, quince, SCRIBE)).toMatchObject({ action: 'create', path: 'Inbox/quince-2.md' });
  });

  test('since the policy or the request’s scope forbids it is refused before it is recorded', async () => {
    const view = viewOf(vault.context.vault, createAccess([{ prefix: '', read: true }]));
    const context = { ...vault.context, vault: view, writer: vault.context.writerFor(view) };
    await vault.refused(() => propose(context, CANDIDATE, SCRIBE), 'out_of_scope');
    await vault.refused(() => vault.propose({}, { ...SCRIBE, scope: 'Other' as VaultPath }), 'out_of_scope');
    expect(vault.context.proposals.counts()).toEqual({ open: 0, unsettled: 0, damaged: 0 });
  });
});
