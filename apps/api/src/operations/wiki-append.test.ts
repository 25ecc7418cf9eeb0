import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DAY, wikiSuite } from '../../../../test/support/wiki-suite.ts';
import { ANYWHERE, NOW, STAMP } from '../../../../test/support/writing-context.ts';

const ADA = '---\ntitle: Ada\n---\n\n# Ada\n\n## Updates\n\n- She was born in London (added 2026-01-01)\n';
const BULLET = '- She was born in London (added 2026-01-01)';

const wiki = wikiSuite({ 'Wiki/ada.md': ADA });

describe('a fact', () => {
  it('is put on the page of that name, and into the journal', async () => {
    const answer = await wiki.append({ slug: 'Ada', content: 'She met Charles in 1833', links: ['Charles Babbage'] });
    const bullet = `- She met Charles in 1833 [[charles-babbage]] (added ${DAY})`;
    expect(answer).toMatchObject({
      status: 'added',
      path: 'Wiki/ada.md',
      bullet,
      line: 11,
      similar: [],
      indexed: 'queued',
    });
    const after = ADA.replace('title: Ada\n', `title: Ada\ntimestamp: ${STAMP}\n`);
    expect(await wiki.page('Wiki/ada.md')).toBe(`${after}${bullet}\n`);
    expect(await wiki.lines()).toEqual([
      {
        v: 1,
        t: NOW.toISOString(),
        slug: 'ada',
        content: 'She met Charles in 1833',
        created: false,
        agent: 'operator',
        committed: false,
      },
    ]);
    expect(wiki.made.queue.synced).toEqual(['Wiki/ada.md']);
  });

  it('goes to a person’s page of another spelling', async () => {
    await wiki.made.put('Wiki/people/Ada Lovelace.md', '# Ada\n');
    expect(await wiki.append({ slug: 'ada-lovelace', content: 'One' })).toMatchObject({
      status: 'added',
      path: 'Wiki/people/Ada Lovelace.md',
    });
  });

  it('makes a page where nothing is like it, which says who wrote it', async () => {
    const request = { agent: 'scribe', source: 'a talk' };
    const answer = await wiki.append({ slug: 'Kitchen Tap', content: 'It drips' }, request);
    expect(answer).toMatchObject({
      status: 'created',
      path: 'Wiki/kitchen-tap.md',
      bullet: `- It drips (added ${DAY})`,
    });
    expect(await wiki.page('Wiki/kitchen-tap.md')).toBe(
      `---\ntitle: Kitchen Tap\ntimestamp: ${STAMP}\nvault_agent: scribe\nvault_source: a talk\n---\n\n# Kitchen Tap\n\n## Updates\n\n- It drips (added ${DAY})\n`,
    );
    expect((await wiki.lines()).map(({ created }) => created)).toEqual([true]);
  });

  it('makes the wiki’s folder where there is none', async () => {
    await rm(join(wiki.context.vault.root, 'Wiki'), { recursive: true });
    expect(await wiki.append({ slug: 'ada', content: 'One' })).toMatchObject({
      status: 'created',
      path: 'Wiki/ada.md',
    });
  });

  it('for a page like others is not written: they are named, and nothing is changed', async () => {
    const before = await wiki.made.everything();
    const answer = await wiki.append({ slug: 'ada-b', content: 'One' });
    expect(answer).toEqual({
      status: 'candidates',
      slug: 'ada-b',
      candidates: [{ path: 'Wiki/ada.md', score: 0.75 }],
      similar: [],
      degraded: [],
    });
    expect(await wiki.made.everything()).toEqual(before);
    expect(await wiki.append({ slug: 'ada-b', content: 'One', create_new: true })).toMatchObject({
      status: 'created',
      path: 'Wiki/ada-b.md',
    });
  });

  it('is never put beside the page of that very name', async () => {
    expect(await wiki.append({ slug: 'ada', content: 'One', create_new: true })).toMatchObject({
      status: 'added',
      path: 'Wiki/ada.md',
    });
  });

  it('that is there is not written again', async () => {
    const before = await wiki.made.everything();
    const answer = await wiki.append({ slug: 'ada', content: 'she was born in London.' });
    expect(answer).toMatchObject({ status: 'same', path: 'Wiki/ada.md', bullet: BULLET, line: 9 });
    expect(answer).not.toHaveProperty('committed');
    expect(answer).not.toHaveProperty('indexed');
    expect(await wiki.made.everything()).toEqual(before);
    expect(await wiki.lines()).toEqual([]);
  });

  it('is refused where it says nothing, names nothing, or would not stand as one item', async () => {
    await wiki.made.refused(() => wiki.append({ slug: '!!!', content: 'One' }), 'invalid_value', /slug/);
    await wiki.made.refused(() => wiki.append({ slug: 'ada', content: ' - ' }), 'invalid_value', /empty/);
    await wiki.made.put('Wiki/ada.md', '## Updates\n\n```\nopen\n');
    await wiki.made.refused(() => wiki.append({ slug: 'ada', content: 'One' }), 'invalid_value', /mend the page/);
  });

  it('is only looked at in a dry run', async () => {
    const before = await wiki.made.everything();
    const added = await wiki.append({ slug: 'ada', content: 'One', dry_run: true });
    expect(added).toMatchObject({
      status: 'added',
      dry_run: true,
      diff: expect.stringContaining(`+- One (added ${DAY})`),
    });
    const created = await wiki.append({ slug: 'roof', content: 'One', dry_run: true });
    expect(created).toMatchObject({
      status: 'created',
      path: 'Wiki/roof.md',
      diff: expect.stringContaining('+# Roof'),
    });
    expect(await wiki.append({ slug: 'ada', content: 'She was born in London', dry_run: true })).toMatchObject({
      status: 'same',
      diff: '',
    });
    expect(await wiki.made.everything()).toEqual(before);
    expect(await wiki.lines()).toEqual([]);
  });

  it('stays written when the journal cannot be: that is said', async () => {
    const broken = { append: () => Promise.reject(new Error('disk full')) };
    const answer = await wiki.append({ slug: 'ada', content: 'One' }, ANYWHERE, { ...wiki.context, journal: broken });
    expect(answer).toMatchObject({ status: 'added', remarks: [expect.stringContaining('journal')] });
    expect(await wiki.page('Wiki/ada.md')).toContain('- One');
  });
});

describe('a fact that says more than a bullet', () => {
  const fact = { slug: 'ada', content: 'She was born in London to Annabella' };

  it('is shown with it, and nothing is written', async () => {
    const before = await wiki.made.everything();
    expect(await wiki.append(fact)).toMatchObject({ status: 'refines', bullet: BULLET, line: 9, fact: fact.content });
    expect(await wiki.made.everything()).toEqual(before);
  });

  it('is put beside it', async () => {
    expect(await wiki.append({ ...fact, on_refine: 'append' })).toMatchObject({ status: 'added', line: 11 });
    expect(await wiki.page('Wiki/ada.md')).toContain(`${BULLET}\n- ${fact.content} (added ${DAY})\n`);
  });

  it('takes its place, and the discard log keeps what stood there', async () => {
    const answer = await wiki.append({ ...fact, on_refine: 'replace' }, { agent: 'scribe', source: 'a talk' });
    expect(answer).toMatchObject({
      status: 'replaced',
      before: BULLET,
      discard: 1,
      bullet: `- ${fact.content} (added ${DAY})`,
    });
    expect(await wiki.page('Wiki/ada.md')).not.toContain(BULLET);
    const kept = JSON.parse(await wiki.page('.discarded.log'));
    expect(kept).toMatchObject({
      kind: 'replaced',
      agent: 'scribe',
      source: 'a talk',
      note: { path: 'Wiki/ada.md', text: BULLET },
    });
  });

  it('is not written where what stood there cannot be kept', async () => {
    const discards = { append: () => Promise.reject(new Error('disk full')) };
    const before = await wiki.page('Wiki/ada.md');
    await expect(
      wiki.append({ ...fact, on_refine: 'replace' }, ANYWHERE, { ...wiki.context, discards }),
    ).rejects.toThrow('disk full');
    expect(await wiki.page('Wiki/ada.md')).toBe(before);
  });
});
