import { recoverProposals } from '@vault-mcp/api/memory/gate/recover';
import { AppError } from '@vault-mcp/shared/errors';
import { describe, expect, it } from 'vitest';
import { consolidationSuite, MERGE, NAMES } from '../../../../test/support/consolidation-suite.ts';
import { ANYWHERE } from '../../../../test/support/writing-context.ts';
import { gatePorts } from './gate-ports.ts';

const suite = consolidationSuite();

/** The same with other methods. */
function replacing<T extends object>(whole: T, methods: Partial<T>): T {
  return new Proxy(whole, {
    get(target, name) {
      const method = methods[name as keyof T] ?? target[name as keyof T];
      return typeof method === 'function' ? method.bind(target) : method;
    },
  });
}

describe('two runs at once', () => {
  it('make one note of a cluster, and the later one says that there is nothing left to merge', async () => {
    const answers = await Promise.all([1, 2].map(() => suite.run({ write: true, merges: [MERGE] })));
    const made = Object.keys(await suite.vault.everything()).filter((path) => /boiler-\d/.test(path));
    expect(made).toEqual(['House/boiler-2.md']);
    expect(answers.flatMap(({ errors }) => errors.map(({ code }) => code))).toEqual(['members_changed']);
    for (const path of NAMES) expect(await suite.dataOf(path)).toMatchObject({ superseded_by: '[[House/boiler-2]]' });
  });
});

describe('consolidation', () => {
  it('writes nothing where nobody merges', async () => {
    await suite.vault.refused(() => suite.run({ write: true }), 'invalid_request', /chat model/);
  });

  it('is refused without vectors, and to who may read a part of the vault alone', async () => {
    await suite.vault.refused(
      () => suite.run({}, { ...suite.vault.context, embedder: null }),
      'invalid_request',
      /vectors/,
    );
    const access = { ...suite.vault.context.vault.access, readRules: [{ prefix: 'House', read: true }] };
    const part = { ...suite.vault.context, vault: { ...suite.vault.context.vault, access } };
    await suite.vault.refused(() => suite.run({}, part), 'out_of_scope');
  });

  it('on a read-only server looks and does not write', async () => {
    const { config } = suite.vault.context;
    const context = { ...suite.vault.context, config: { ...config, server: { ...config.server, read_only: true } } };
    expect((await suite.run({}, context)).clusters).toHaveLength(2);
    await suite.vault.refused(() => suite.run({ write: true, merges: [MERGE] }, context), 'out_of_scope', /read-only/);
  });

  it('tells when the index could not be asked to look at the files', async () => {
    const queue = {
      ...suite.vault.context.queue,
      add: () => Promise.reject(new AppError('internal_error', 'no queue')),
    };
    const answer = await suite.run({ write: true, merges: [MERGE] }, { ...suite.vault.context, queue });
    expect([answer.reindex, answer.index_error]).toEqual(['deferred', 'no queue']);
    expect(answer.clusters[1]).toMatchObject({ path: 'House/boiler-2.md' });
  });

  it('stops writing when the disk is full, and tells what was done', async () => {
    const { proposals } = suite.vault.context;
    const full = new AppError('insufficient_storage', 'The disk is full.');
    const begin = () => {
      throw full;
    };
    const failing = { ...suite.vault.context, proposals: replacing(proposals, { begin }) };
    const apples = { members: ['House/apples.md', 'House/apples too.md'], title: 'Of apples', body: 'They keep.' };
    const answer = await suite.run({ write: true, merges: [MERGE, apples] }, failing);
    expect(answer.errors).toEqual([{ code: 'insufficient_storage', message: 'The disk is full.', members: NAMES }]);
    expect([answer.remaining, answer.reindex]).toEqual([2, 'queued']);
  });

  it('that ends in the midst of a merge is completed by the next, both ways', async () => {
    const record = () => {
      throw new AppError('insufficient_storage', 'The disk is full.');
    };
    const context = { ...suite.vault.context, history: { ...suite.vault.context.history, record } };
    const answer = await suite.run({ write: true, merges: [MERGE] }, context);
    expect(answer.errors).toEqual([
      { code: 'insufficient_storage', message: expect.stringContaining('completed by the next'), members: NAMES },
    ]);
    expect(suite.vault.context.proposals.counts().unsettled).toBe(1);
    expect(await recoverProposals(gatePorts(suite.vault.context, ANYWHERE))).toMatchObject({ completed: 1, failed: 0 });
    expect(suite.vault.context.proposals.counts().unsettled).toBe(0);
    for (const path of NAMES) expect(await suite.dataOf(path)).toMatchObject({ superseded_by: '[[House/boiler-2]]' });
  });
});
