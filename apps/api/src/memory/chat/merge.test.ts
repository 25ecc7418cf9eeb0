import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeChat, saysJson, startFakeChat } from '../../../../../test/support/fake-chat.ts';
import { createChatModel } from './chat-model.ts';
import { chatTime } from './chat-time.ts';
import { MAX_MEMBER_CHARS, mergeByModel } from './merge.ts';
import type { MergeMember } from './prompts.ts';

const MEMBERS: readonly MergeMember[] = [
  { path: 'a.md', title: 'Boiler', type: 'fact', body: 'Serviced in May.' },
  { path: 'b.md', title: 'The boiler', body: 'Serviced by Meyer.' },
];
const MERGED = { title: 'Boiler', body: 'Serviced in May by Meyer.', type: 'fact' };

let server: FakeChat;
beforeEach(async () => {
  server = await startFakeChat();
});
afterEach(() => server.close());

function merge(members = MEMBERS, signal = new AbortController().signal) {
  const chat = createChatModel({ model: 'm', url: server.url, api_key: null }, { ollama_url: '' });
  if (chat === null) throw new Error('A model was set.');
  return mergeByModel(chat, members, { time: chatTime(20), signal });
}

describe('a model that merges', () => {
  it('is shown every note as data and gives one text', async () => {
    server.reply = () => saysJson(MERGED);
    expect(await merge()).toEqual(MERGED);
    expect(JSON.parse(server.asked[0]?.body.messages?.[1]?.content ?? '')).toEqual({ notes: MEMBERS });
  });

  it('need not name a type, and may leave spaces around its title', async () => {
    server.reply = () => saysJson({ title: ' Boiler ', body: 'Serviced.' });
    expect(await merge()).toEqual({ title: 'Boiler', body: 'Serviced.' });
  });

  it.each([
    ['no title', { body: 'b' }],
    ['a blank title', { title: ' ', body: 'b' }],
    ['a title of two lines', { title: 'a\nb', body: 'b' }],
    ['too long a title', { title: 'x'.repeat(201), body: 'b' }],
    ['a blank body', { title: 'a', body: ' \n' }],
    ['frontmatter in its body', { title: 'a', body: '---\ntype: x\n---\nb' }],
    ['a type of two lines', { title: 'a', body: 'b', type: 'x\ny' }],
    ['a key of its own', { ...MERGED, path: '/etc/passwd' }],
    ['no object', [MERGED]],
  ])('is asked once more after %s, then given up', async (_what, value) => {
    server.reply = () => saysJson(value);
    expect(await merge()).toEqual({ failed: 'merger_malformed', detail: expect.stringContaining('"title"') });
    expect(server.asked).toHaveLength(2);
  });

  it('that is out of reach is told so', async () => {
    server.reply = () => ({ kind: 'status', status: 500 });
    expect(await merge()).toEqual({ failed: 'merger_unreachable', detail: expect.stringContaining('answered 500') });
  });

  it('is not asked to merge more than it is shown', async () => {
    const half = 'x'.repeat(MAX_MEMBER_CHARS / 2);
    const members = (more: string) => [half, half + more].map((body, i) => ({ path: `${i}.md`, title: 't', body }));
    expect(await merge(members('y'))).toEqual({ failed: 'too_long', detail: expect.stringContaining('12001') });
    expect(server.asked).toEqual([]);
    server.reply = () => saysJson(MERGED);
    expect(await merge(members(''))).toEqual(MERGED);
  });
});
