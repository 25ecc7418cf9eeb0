/**
 * A vault with notes that say nearly the same, in one folder and beside it, indexed; and a chat model that says what a test tells
 * it to. What the tests of consolidation have in common.
 */
import { createChatModel } from '@vault-mcp/api/memory/chat/chat-model';
import { consolidate } from '@vault-mcp/api/operations/consolidate';
import type { MemoryContext } from '@vault-mcp/api/operations/gate-ports';
import { parseFrontmatter } from '@vault-mcp/shared/vault/note/frontmatter';
import { afterEach, beforeEach } from 'vitest';
import { type FakeChat, startFakeChat } from './fake-chat.ts';
import { ANYWHERE, type IndexedWritingContext, indexedWritingContext } from './writing-context.ts';

const boiler = (more: string, frontmatter = '') =>
  `${frontmatter}The boiler in the cellar was serviced in May by the fitters of Meyer and Sons, who cleaned the burner. ${more}\n`;

export const FILES = {
  'House/boiler.md': boiler('', '---\ntype: fact\ntags: [house]\n---\n'),
  'House/boiler again.md': boiler('Twice.', '---\ntype: fact\ntags: heating, house\n---\n'),
  'House/boiler once more.md': boiler('Thrice.', '---\ntype: event\n---\n'),
  'Other/boiler.md': boiler('Elsewhere.'),
  'House/old boiler.md': boiler('Old.', '---\nsuperseded_by: "[[boiler]]"\n---\n'),
  'Wiki/boiler.md': boiler('Wiki.'),
  'House/garden.md': 'Quinces ripen late, and are picked before the first frost comes to the garden.\n',
  'House/apples.md': 'Apples of the old tree keep until spring when they lie on straw in a cool room.\n',
  'House/apples too.md': 'Apples of the old tree keep until spring when they lie on straw in a cool room!\n',
};
export const CEILING = 0.3;
/** The larger of two clusters. */
export const NAMES = ['House/boiler again.md', 'House/boiler once more.md', 'House/boiler.md'];
export const MERGE = { members: NAMES, title: 'Boiler', body: 'Serviced in May, thrice.' };

type Input = Omit<Parameters<typeof consolidate>[1], 'ceiling'>;

interface Consolidating {
  readonly vault: IndexedWritingContext;
  readonly server: FakeChat;
}

/** A fresh one for each test of a file. */
export function consolidationSuite() {
  let made: Consolidating | undefined;
  const current = (): Consolidating => {
    if (made === undefined) throw new Error('The vault exists within a test only.');
    return made;
  };
  beforeEach(async () => {
    const [vault, server] = await Promise.all([indexedWritingContext(FILES), startFakeChat()]);
    made = { vault, server };
  }, 60_000);
  afterEach(() => Promise.all([made?.vault.remove(), made?.server.close()]));
  return {
    get vault() {
      return current().vault;
    },
    get server() {
      return current().server;
    },
    run: (input: Input = {}, context: MemoryContext = current().vault.context) =>
      consolidate(context, { ceiling: CEILING, ...input }, ANYWHERE),
    /** Somebody writes a note anew, and the index takes it in. @returns its text */
    async edit(path: string, text: string): Promise<string> {
      current().vault.put(path, text);
      await current().vault.context.queue.add('sync-path', { path, source: 'news' });
      await current().vault.indexed.settled();
      return text;
    },
    /** A context with a chat model. */
    asked(): MemoryContext {
      const chat = createChatModel({ model: 'm', url: current().server.url, api_key: null }, { ollama_url: '' });
      return { ...current().vault.context, chat };
    },
    /** The frontmatter of a note as it stands on the disk. */
    dataOf: async (path: string) => parseFrontmatter((await current().vault.everything())[path] ?? '').data,
  };
}
