/** A gate whose decisions a chat model makes, over HTTP as in production. */
import { createAccess } from '@vault-mcp/shared/vault/access';
import { viewOf } from '@vault-mcp/shared/vault/view';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type FakeChat, saysJson, startFakeChat } from '../../../../test/support/fake-chat.ts';
import { ADA, CANDIDATE, type GateVault, gateVault, SCRIBE } from '../../../../test/support/gate-vault.ts';
import { createChatModel } from '../memory/chat/chat-model.ts';
import type { MemoryContext } from './gate-ports.ts';
import { propose } from './propose.ts';

const TARGET = 'Facts/ada.md';
const KEY = 'a-key-that-nobody-may-see';

let vault: GateVault;
let server: FakeChat;
let context: MemoryContext;

beforeEach(async () => {
  vault = await gateVault({
    'Facts/ada.md': ADA,
    'Hidden/ada.md': ADA.replace('in 1843', 'in secret'),
    'Other/x.md': 'X.\n',
  });
  server = await startFakeChat();
  const gate = { model: 'a-model', url: server.url, api_key: KEY };
  context = { ...vault.context, chat: createChatModel(gate, { ollama_url: server.url }) };
});
afterEach(async () => {
  await server.close();
  await vault.remove();
});

describe('a chat model', () => {
  test('decides at once, and what it decides is done', async () => {
    server.reply = () => saysJson({ action: 'supersede', target: TARGET, reason: 'It says more.' });
    const answer = await propose(context, CANDIDATE, SCRIBE);
    expect(answer).toMatchObject({ status: 'done', action: 'supersede', superseded: TARGET, fell_back: null });
    expect((await vault.notes())[TARGET]).toContain('superseded_by: "[[Facts/ada-lovelace');
  });

  test('that discards leaves its reason and what it saw beside the candidate', async () => {
    server.reply = () => saysJson({ action: 'discard', reason: 'It is known.' });
    expect(await propose(context, CANDIDATE, SCRIBE)).toMatchObject({ action: 'discard', discard: 1 });
    expect(await vault.discards()).toMatchObject([
      { kind: 'discarded', decision: { reason: 'It is known.' }, candidate: { body: CANDIDATE.body } },
    ]);
    expect((await vault.discards())[0]?.seen?.map(({ path }) => path)).toContain(TARGET);
  });

  test('that hangs makes the candidate a note when its time is over, and the caller hears of the setting', async () => {
    server.reply = () => ({ kind: 'slow' });
    const gate = { ...context.config.gate, timeout_seconds: 0.2 };
    const answer = await propose({ ...context, config: { ...context.config, gate } }, CANDIDATE, SCRIBE);
    expect(answer).toMatchObject({ action: 'create', fell_back: 'decider_unreachable' });
    expect(answer).toMatchObject({ remarks: [expect.stringContaining('within 0.2 s (gate.timeout_seconds)')] });
    expect((await vault.notes())[answer.status === 'done' ? (answer.path ?? '') : '']).toContain(CANDIDATE.body);
  });

  test('is sent no note that the caller may not read', async () => {
    const rules = [
      { prefix: '', read: true, write: true },
      { prefix: 'Hidden', read: false, write: false },
    ] as const;
    const view = viewOf(context.vault, createAccess(rules));
    await propose({ ...context, vault: view, writer: context.writerFor(view) }, CANDIDATE, SCRIBE);
    const sent = JSON.stringify(server.asked);
    expect(sent).toContain('Facts/ada.md');
    expect(sent).not.toContain('Hidden');
  });

  test.each([
    ['refuses its key', { kind: 'echo-key', status: 401 }, 'decider_unreachable'],
    ['ends in the middle', { kind: 'dead' }, 'decider_unreachable'],
    ['repeats its key', { kind: 'echo-key', status: 200 }, 'decider_malformed'],
  ] as const)('that %s makes the candidate a note, and its key shows nowhere', async (_what, reply, fellBack) => {
    server.reply = () => reply;
    const answer = await propose(context, CANDIDATE, SCRIBE);
    expect(answer).toMatchObject({ action: 'create', fell_back: fellBack, remarks: [expect.any(String)] });
    expect(JSON.stringify([answer, await vault.everything()])).not.toContain(KEY);
  });
});
