import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ADA, CANDIDATE, type GateVault, gateVault, SCRIBE } from '../../../../test/support/gate-vault.ts';
import { NOW, STAMP } from '../../../../test/support/writing-context.ts';
import { propose } from './propose.ts';

const NEW_PATH = 'Facts/ada-lovelace-wrote-the-first-program.md';
const NEW_NOTE = `---\ntype: fact\ntitle: Ada Lovelace wrote the first program\ntimestamp: ${STAMP}\nvault_agent: scribe\nvault_source: chat 12\n---\n${CANDIDATE.body}\n`;

let vault: GateVault;
beforeEach(async () => {
  vault = await gateVault();
});
afterEach(() => vault.remove());

describe('a proposal', () => {
  test('to which nothing is similar is a note at once, and search knows of it', async () => {
    const unlike = { title: 'Öl & Äpfel!', body: 'Quince jelly sets with pectin.', namespace: 'Kitchen/Preserves' };
    const answer = await vault.done(unlike);
    expect(answer).toMatchObject({ action: 'create', path: 'Kitchen/Preserves/ol-apfel.md', fell_back: null });
    expect(answer.indexed).toBe('queued');
    const notes = await vault.notes();
    expect(notes['Kitchen/Preserves/ol-apfel.md']).toContain('vault_agent: scribe\nvault_source: chat 12\n---\nQuince');
    await vault.indexed.settled();
    expect(vault.context.reader.fileByPath('Kitchen/Preserves/ol-apfel.md')?.sha256).toBe(answer.etag);
  });

  test('shows what says something similar, as it stands on the disk, and changes nothing yet', async () => {
    const before = await vault.everything();
    const answer = await vault.shown();
    expect(answer.similar).toEqual([
      {
        path: 'Facts/ada.md',
        title: 'Ada Lovelace',
        body: 'Ada Lovelace wrote the first program for the analytical engine of Charles Babbage.',
        etag: vault.context.reader.fileByPath('Facts/ada.md')?.sha256,
        distance: expect.any(Number),
        bm25: expect.any(Number),
        read_only: false,
      },
    ]);
    expect(answer).toMatchObject({ degraded: [], expires_at: new Date(NOW.getTime() + 30 * 60_000).toISOString() });
    expect(await vault.everything()).toEqual(before);
  });

  test('that is to stand for an old note marks both, so that each leads to the other', async () => {
    const { token } = await vault.shown();
    const answer = await vault.done({ token, decision: { action: 'supersede', target: 'Facts/ada.md' } });
    expect(answer).toMatchObject({ action: 'supersede', path: NEW_PATH, superseded: 'Facts/ada.md', fell_back: null });
    const notes = await vault.notes();
    expect(notes[NEW_PATH]).toBe(NEW_NOTE.replace('vault_agent', 'supersedes:\n  - "[[Facts/ada]]"\nvault_agent'));
    expect(notes['Facts/ada.md']).toBe(
      ADA.replace('---\nAda', `timestamp: ${STAMP}\nsuperseded_by: "[[${NEW_PATH.replace('.md', '')}]]"\n---\nAda`),
    );
    await vault.indexed.settled();
    expect((await vault.shown({ title: 'Once more' })).similar.map(({ path }) => path)).toEqual([NEW_PATH]);
  });

  test('that updates a note keeps what it replaces in the discard log, and names who wrote it', async () => {
    const { token } = await vault.shown();
    const body = `${CANDIDATE.body}\n\nIt computed Bernoulli numbers.`;
    const answer = await vault.done({ token, decision: { action: 'update', target: 'Facts/ada.md', body } });
    expect(answer).toMatchObject({ action: 'update', path: 'Facts/ada.md', fell_back: null });
    expect((await vault.notes())['Facts/ada.md']).toBe(
      `---\ntype: fact\ntitle: Ada Lovelace\ntimestamp: ${STAMP}\nvault_agent: scribe\nvault_source: chat 12\n---\n${body}\n`,
    );
    expect(await vault.discards()).toMatchObject([
      { kind: 'replaced', agent: 'scribe', note: { path: 'Facts/ada.md', text: ADA } },
      { n: answer.discard, kind: 'merged' },
    ]);
  });

  test.each([
    ['in other words', 'In 1843.'],
    ['word for word', CANDIDATE.body],
  ])(
    'that is told %s in a note it updates is kept whole beside, with its title, type and keys',
    async (_how, append) => {
      const own = { type: 'decision', frontmatter: { tags: ['maths'] } };
      const { token } = await vault.shown(own);
      const answer = await vault.done({
        ...own,
        token,
        decision: { action: 'update', target: 'Facts/ada.md', append },
      });
      expect((await vault.notes())['Facts/ada.md']).toContain(`Babbage.\n\n${append}\n`);
      expect(await vault.discards()).toMatchObject([
        { n: answer.discard, kind: 'merged', candidate: { ...own, title: CANDIDATE.title, body: CANDIDATE.body } },
      ]);
    },
  );

  test('changes one section of a note when one is named', async () => {
    vault.put('Facts/ada.md', `${ADA}\n## Dates\n\nBorn 1815.\n\n## Works\n\nNotes.\n`);
    const { token } = await vault.shown();
    const decision = {
      action: 'update',
      target: 'Facts/ada.md',
      section: 'Dates',
      body: 'Born 1815, died 1852.',
    } as const;
    await vault.done({ token, decision });
    const text = (await vault.notes())['Facts/ada.md'];
    expect(text).toContain('## Dates\n\nBorn 1815, died 1852.\n\n## Works\n\nNotes.\n');
    expect((await vault.discards()).map(({ kind }) => kind)).toEqual(['replaced', 'merged']);
  });

  test('that is discarded goes whole into the log, with what was seen and why', async () => {
    const shown = await vault.shown();
    const decision = { action: 'discard', reason: 'It is there already.' } as const;
    const answer = await vault.done({ token: shown.token, decision });
    expect(answer).toMatchObject({ action: 'discard', path: null, etag: null, discard: 1 });
    expect(await vault.discards()).toMatchObject([
      {
        ...{ n: 1, kind: 'discarded', agent: 'scribe', source: 'chat 12', decision, seen: shown.similar },
        candidate: { title: CANDIDATE.title, type: 'fact', namespace: 'Facts', body: CANDIDATE.body },
      },
    ]);
    expect(Object.keys(await vault.notes())).toHaveLength(7);
  });

  test('of whom nothing is known takes out who wrote what it replaces', async () => {
    vault.put('Facts/ada.md', ADA.replace('---\nAda', 'vault_agent: old\nvault_source: gone\n---\nAda'));
    const operator = { agent: 'operator' };
    const { token } = await vault.shown({}, operator);
    await vault.done({ token, decision: { action: 'update', target: 'Facts/ada.md', body: CANDIDATE.body } }, operator);
    expect((await vault.notes())['Facts/ada.md']).not.toContain('vault_');
  });

  test.each([
    ['CRLF', '\ufeff---\r\ntitle: Ada\r\n---\r\n', '\r\n'],
    ['no block', '', '\n'],
  ])('marks an old note with %s in its own way, and keeps the rest of its bytes', async (_what, head, end) => {
    const prose = `${ADA.slice(ADA.lastIndexOf('---\n') + 4).trimEnd()}${end}Second line.${end}`;
    vault.put('Facts/ada.md', head + prose);
    const { token } = await vault.shown();
    const answer = await vault.done({ token, decision: { action: 'supersede', target: 'Facts/ada.md' } });
    expect(answer).toMatchObject({ action: 'supersede', superseded: 'Facts/ada.md' });
    const text = (await vault.notes())['Facts/ada.md'] ?? '';
    expect(text.endsWith(prose)).toBe(true);
    expect(text).toContain(`superseded_by: "[[Facts/ada-lovelace-wrote-the-first-program]]"${end}`);
    expect(text.startsWith('\ufeff')).toBe(head.startsWith('\ufeff'));
  });

  test('of the operator names no author', async () => {
    const answer = await vault.done({ title: 'Quince', body: 'Quince jelly.' }, { agent: 'operator' });
    expect((await vault.notes())[answer.path ?? '']).not.toContain('vault_');
  });

  test('finds a note that was written behind the index’s back a moment ago', async () => {
    vault.put('Facts/charles.md', 'Charles Babbage designed a difference engine that was never finished, with cogs.\n');
    const about = {
      title: 'Difference engine',
      body: 'Charles Babbage designed a difference engine, never finished, with cogs.',
    };
    expect((await vault.shown(about)).similar[0]?.path).toBe('Facts/charles.md');
  });

  test('finds what the gate itself has just written, whatever its folder', async () => {
    const quince = { title: 'Quince jelly', body: 'Quince jelly sets with its own pectin, boiled at dawn.' };
    const { path } = await vault.done({ ...quince, namespace: 'Kitchen' });
    const again = await vault.shown({ ...quince, namespace: 'Elsewhere' });
    expect(again.similar.map((note) => note.path)).toEqual([path]);
  });
});

describe('twenty proposals at once', () => {
  test('of one title are twenty notes, none over another', async () => {
    const words = [...Array(20)].map((_, i) => `w${i}x`.repeat(3));
    const answers = await Promise.all(
      words.map((word) =>
        vault.done({ title: 'The very same', namespace: 'New/Folder', body: `Only ${word} says ${word}.` }),
      ),
    );
    const paths = answers.map(({ path }) => path);
    expect(new Set(paths).size).toBe(20);
    const notes = await vault.notes();
    for (const [i, path] of paths.entries()) expect(notes[path ?? '']).toContain(words[i]);
  });

  test('that are to supersede one note: one of them does, the others are shown what changed', async () => {
    const tokens = await Promise.all(
      [...Array(8)].map(async (_, i) => ({
        title: `Number ${i}`,
        token: (await vault.shown({ title: `Number ${i}` })).token,
      })),
    );
    const decision = { action: 'supersede', target: 'Facts/ada.md' } as const;
    const answers = await Promise.all(tokens.map((call) => vault.propose({ ...call, decision })));
    const superseding = answers.filter((answer) => answer.status === 'done' && answer.action === 'supersede');
    expect(superseding).toHaveLength(1);
    for (const answer of answers) {
      if (answer.status === 'done' && answer.action !== 'supersede') expect(answer.fell_back).toBe('target_changed');
    }
    const old = (await vault.notes())['Facts/ada.md'] ?? '';
    expect(old.match(/superseded_by/g)).toHaveLength(1);
  });
});

describe('a server', () => {
  const nothingRecorded = () => expect(vault.context.proposals.counts()).toEqual({ open: 0, unsettled: 0, damaged: 0 });

  test('that is read-only takes no proposal', async () => {
    const { config } = vault.context;
    const readOnly = { ...vault.context, config: { ...config, server: { ...config.server, read_only: true } } };
    await vault.refused(() => propose(readOnly, CANDIDATE, SCRIBE), 'out_of_scope');
    nothingRecorded();
  });

  test('without ceilings for its embedder says which command suggests them', async () => {
    const { config, embedder } = vault.context;
    if (embedder === null) throw new Error('this vault has an embedder');
    const gate = { ...config.gate, distance_ceiling: null, bm25_ceiling: null };
    const bare = {
      ...vault.context,
      config: { ...config, gate },
      embedder: { ...embedder, space: 'nobody measured it' },
    };
    await vault.refused(() => propose(bare, CANDIDATE, SCRIBE), 'invalid_request', /gate calibrate/);
    nothingRecorded();
  });

  test('whose index is still being built says so, but carries out what was decided by what it showed before', async () => {
    const { reader } = vault.context;
    const status = reader.indexerStatus();
    if (status === null) throw new Error('this vault has an indexer');
    const rebuilt = new Proxy(reader, {
      get: (target, name) =>
        name === 'indexerStatus' ? () => ({ ...status, state: 'building' }) : Reflect.get(target, name).bind(target),
    });
    const building = { ...vault.context, reader: rebuilt };
    await vault.refused(() => propose(building, CANDIDATE, SCRIBE), 'not_ready');
    nothingRecorded();
    const { token } = await vault.shown();
    const decision = { action: 'supersede', target: 'Facts/ada.md' } as const;
    expect(await propose(building, { ...CANDIDATE, token, decision }, SCRIBE)).toMatchObject({ action: 'supersede' });
  });
});
