import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommitOutcome } from '@vault-mcp/shared/records/git-commits';
import { createAccess } from '@vault-mcp/shared/vault/access';
import { openPathLocks } from '@vault-mcp/shared/vault/lock';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { viewOf } from '@vault-mcp/shared/vault/view';
import { createVaultWriter } from '@vault-mcp/shared/vault/write';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { hasGit, wikiSuite } from '../../../../test/support/wiki-suite.ts';
import { ANYWHERE } from '../../../../test/support/writing-context.ts';

const ADA = '---\ntitle: Ada\n---\n\n# Ada\n\n## Updates\n\n- She was born in London (added 2026-01-01)\n';
const BULLET = '- She was born in London (added 2026-01-01)';

const wiki = wikiSuite({ 'Wiki/ada.md': ADA });

describe('whoever may only add', () => {
  const only = (write: 'append' | false) => {
    const vault = viewOf(wiki.context.vault, createAccess([{ prefix: 'Wiki', read: true, write }]));
    return { ...wiki.context, vault, writer: createVaultWriter(vault, { locks: wiki.locks, noteMaxBytes: 0 }) };
  };

  it('may add a fact and make a page', async () => {
    expect(await wiki.append({ slug: 'ada', content: 'One' }, ANYWHERE, only('append'))).toMatchObject({
      status: 'added',
    });
    expect(await wiki.append({ slug: 'roof', content: 'One' }, ANYWHERE, only('append'))).toMatchObject({
      status: 'created',
    });
  });

  it('may ask for a refinement to replace, wherever nothing is replaced', async () => {
    const fact = (content: string, slug = 'ada') => ({ slug, content, on_refine: 'replace' as const });
    const append = (said: ReturnType<typeof fact>) => wiki.append(said, ANYWHERE, only('append'));
    expect(await append(fact('She met Charles in 1833'))).toMatchObject({ status: 'added' });
    expect(await append(fact('One', 'roof'))).toMatchObject({ status: 'created' });
    expect(await append(fact('She was born in London'))).toMatchObject({ status: 'same' });
    const refinement = () => append(fact('She was born in London to Annabella'));
    await wiki.made.refused(refinement, 'out_of_scope', /You may add to "Wiki\/ada\.md", not change what is there/);
  });

  it('sees no page among the candidates that it may not read', async () => {
    await wiki.made.put('Wiki/secret/adam.md', '# Adam\n');
    const rules = [
      { prefix: 'Wiki', read: true, write: 'append' as const },
      { prefix: 'Wiki/secret', read: false, write: false },
    ];
    const vault = viewOf(wiki.context.vault, createAccess(rules));
    const answer = await wiki.append({ slug: 'adams', content: 'One' }, ANYWHERE, { ...wiki.context, vault });
    expect(answer.candidates?.map(({ path }) => path)).toEqual(['Wiki/ada.md']);
  });
});

describe('a server that only reads', () => {
  it('takes no fact', async () => {
    const config = { ...wiki.context.config, server: { ...wiki.context.config.server, read_only: true } };
    await wiki.made.refused(
      () => wiki.append({ slug: 'ada', content: 'One' }, ANYWHERE, { ...wiki.context, config }),
      'out_of_scope',
      /read-only/,
    );
  });
});

describe.skipIf(!hasGit)('in a git work tree', () => {
  beforeEach(() => wiki.git('init', '--quiet', '--initial-branch=main'));

  it('each fact is a commit of its page, and what a person changed there before is one of theirs', async () => {
    const answer = await wiki.append({ slug: 'ada', content: 'One' }, { agent: 'scribe' });
    expect(answer.committed).toEqual({ state: 'committed', commit: wiki.git('rev-parse', 'HEAD') });
    await wiki.append({ slug: 'ada', content: 'Two' }, { agent: 'scribe' });
    expect(wiki.git('log', '--format=%an %s').split('\n')).toEqual([
      'scribe wiki-append Wiki/ada.md',
      'scribe wiki-append Wiki/ada.md',
      "owner Edits before vault-mcp's change of Wiki/ada.md",
    ]);
    expect((await wiki.lines()).map(({ committed }) => committed)).toEqual([true, true]);
  });

  const MORE = { slug: 'ada', content: 'She was born in London to Annabella', on_refine: 'replace' } as const;

  it('what is replaced is kept by git, and by the discard log too', async () => {
    const answer = await wiki.append(MORE);
    expect(answer).toMatchObject({ status: 'replaced', committed: { state: 'committed' }, discard: 1 });
    expect(wiki.git('show', 'HEAD~1:Wiki/ada.md')).toContain(BULLET);
  });

  it.each([
    ['is ignored', () => writeFile(join(wiki.context.vault.root, '.gitignore'), 'Wiki/\n')],
    [
      'is told not to look at',
      () => {
        wiki.git('add', '.');
        wiki.git('-c', 'user.name=p', '-c', 'user.email=p@x', 'commit', '-qm', 'first');
        wiki.git('update-index', '--skip-worktree', 'Wiki/ada.md');
      },
    ],
    [
      'is in another repository',
      () => execFileSync('git', ['init', '--quiet'], { cwd: join(wiki.context.vault.root, 'Wiki') }),
    ],
  ])(
    'what is replaced is not lost where the page %s, of which git says that nothing is changed',
    async (_how, make) => {
      const later = ADA.replace(BULLET, '- She was born in London on 10 December');
      await make();
      await writeFile(join(wiki.context.vault.root, 'Wiki/ada.md'), later);
      const keep = vi.spyOn(wiki.context.discards, 'append');
      const fact = { ...MORE, content: 'She was born in London on 10 December to Annabella' };
      expect(await wiki.append(fact)).toMatchObject({ status: 'replaced', discard: 1 });
      const note = expect.objectContaining({ text: '- She was born in London on 10 December' });
      expect(keep).toHaveBeenCalledWith(expect.objectContaining({ kind: 'replaced', note }));
    },
  );

  it('a commit that fails is told, and the fact is written', async () => {
    await writeFile(join(wiki.context.vault.root, '.gitignore'), 'Wiki/\n');
    const answer = await wiki.append({ slug: 'ada', content: 'One' });
    expect(answer.committed).toMatchObject({ state: 'failed', reason: expect.stringMatching(/ignored/) });
    expect(await wiki.page('Wiki/ada.md')).toContain('- One');
  });

  it('nothing that is not written is committed', async () => {
    await wiki.append({ slug: 'ada', content: 'She was born in London' });
    expect(wiki.git('status', '--porcelain')).toBe('?? Wiki/');
  });

  it('a commit that is not made in time is pending, and the journal says that git has it not', async () => {
    const pending: CommitOutcome = { state: 'pending', reason: 'git had not come to its end in time; it goes on' };
    const commits = { beforeWrite: async () => pending, commit: async () => pending };
    const answer = await wiki.append({ slug: 'ada', content: 'One' }, ANYWHERE, { ...wiki.context, commits });
    expect(answer.committed).toEqual(pending);
    expect((await wiki.lines()).map(({ committed }) => committed)).toEqual([false]);
  });
});

describe('a page that others hold', () => {
  it('is an error when it is not had in time, and nothing is written', async () => {
    const impatient = await openPathLocks(wiki.context.config.data.path, { waitMs: 50 });
    const writer = createVaultWriter(wiki.context.vault, { locks: impatient, noteMaxBytes: 0 });
    try {
      await wiki.locks.hold([{ path: 'Wiki/ada.md' as VaultPath }], () =>
        wiki.made.refused(
          () => wiki.append({ slug: 'ada', content: 'One' }, ANYWHERE, { ...wiki.context, writer }),
          'locked',
          /ada\.md.*try again/,
        ),
      );
    } finally {
      impatient.close();
    }
    expect(await wiki.lines()).toEqual([]);
  });
});

describe('a call that is repeated', () => {
  it.each(['append', 'replace'])(
    'adds nothing the second time, whatever is to be done with a bullet: %s',
    async (on_refine) => {
      const fact = { slug: 'ada', content: 'She was born in London to Annabella', on_refine };
      await wiki.append(fact);
      const once = await wiki.page('Wiki/ada.md');
      expect(await wiki.append(fact)).toMatchObject({ status: 'same' });
      expect(await wiki.page('Wiki/ada.md')).toBe(once);
    },
  );
});

describe('twenty facts at once', () => {
  it('on one page that is not there yet are all on it, once', async () => {
    const facts = Array.from({ length: 20 }, (_, n) => `Fact number ${n} is about ${'abcdefghijklmnopqrst'[n]}`);
    const answers = await Promise.all(facts.map((content) => wiki.append({ slug: 'new-page', content })));
    expect(answers.filter(({ status }) => status === 'created')).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 'added')).toHaveLength(19);
    const text = await wiki.page('Wiki/new-page.md');
    for (const fact of facts) expect(text.split(`- ${fact} (added`)).toHaveLength(2);
    expect(await wiki.lines()).toHaveLength(20);
  });
});

describe('a page that another program changes between the look and the write', () => {
  it('is looked at anew, so that what is kept is what is replaced', async () => {
    const changed = '- She was born in London on 10 December (added 2026-01-01)';
    let times = 0;
    const discards = {
      append: async () => {
        if (times++ === 0) await writeFile(join(wiki.context.vault.root, 'Wiki/ada.md'), ADA.replace(BULLET, changed));
        return times;
      },
    };
    const fact = { slug: 'ada', content: 'She was born in London on 10 December to Annabella', on_refine: 'replace' };
    expect(await wiki.append(fact, ANYWHERE, { ...wiki.context, discards })).toMatchObject({
      status: 'replaced',
      before: changed,
      discard: 2,
    });
    expect(await wiki.page('Wiki/ada.md')).toContain('Annabella');
  });
});

it('names the paths that it may not write as every write does', async () => {
  await wiki.made.refused(
    () => wiki.append({ slug: 'ada', content: 'One' }, { agent: 'x', scope: 'Notes' as VaultPath }),
    'out_of_scope',
  );
});
