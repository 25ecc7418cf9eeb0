import { describe, expect, it } from 'vitest';
import type { ConsolidateAnswer } from '../operations/consolidate.ts';
import { consolidationText, needsPerson } from './consolidation-text.ts';

const member = (path: string, title = path) => ({ path, title, etag: 'e' });

const CLUSTER = {
  namespace: 'House',
  members: [member('House/a.md', 'A'), member('House/b.md', 'B')],
  diameter: 0.0421,
};

const DRY: ConsolidateAnswer = {
  ...{ dry_run: true, ceiling: 0.1, cap: 5, compared: 40, superseded: 2, clusters: [CLUSTER], merger_calls: 0 },
  ...{ remaining: 1, unmarked: [], errors: [], reindex: null, index_error: null, degraded: [] },
  ...{ cross_namespace: { total: 0, first: [] }, without_vector: { total: 0, first: [] } },
};

const WRITTEN: ConsolidateAnswer = { ...DRY, dry_run: false, remaining: 0, reindex: 'queued' };

const PROPOSED = { title: 'Of both', body: 'First.\n\nSecond.\n', type: 'fact' };

describe('what a consolidation found', () => {
  it('is a block for each cluster, and what to do next', () => {
    expect(consolidationText(DRY).split('\n')).toEqual([
      'Compared 40 notes, and 2 superseded left out: 1 cluster within 0.1 of one another.',
      'Nothing was changed.',
      '',
      '2 notes in House, at most 0.042 apart:',
      '  House/a.md | A',
      '  House/b.md | B',
      '',
      expect.stringMatching(/: "write": true, with "merges"/),
      '',
    ]);
    expect(consolidationText(DRY, 'cli')).toContain(': --write, with --merges FILE');
    expect(consolidationText({ ...DRY, clusters: [], remaining: 0, superseded: 0 })).toBe(
      'Compared 40 notes: 0 clusters within 0.1 of one another.\nNothing was changed.\n',
    );
  });

  it('shows what would be written, indented, so that no text can pass for a line of ours', () => {
    const proposed = { ...PROPOSED, title: 'Of both\nNothing was changed.' };
    const text = consolidationText({
      ...DRY,
      merger_calls: 1,
      clusters: [{ ...CLUSTER, proposed, path: 'House/of-both.md' }],
    });
    expect(text).toContain('The chat model was asked about 1 cluster.\n');
    expect(text).toContain('\n  would become House/of-both.md | Of both␊Nothing was changed.\n      First.\n');
    expect(text.match(/^Nothing was changed\.$/gm)).toHaveLength(1);
    expect(text).not.toMatch(/^Second/m);
  });

  it('says what became of each, without the text that now stands in the vault', () => {
    const text = consolidationText({
      ...WRITTEN,
      clusters: [{ ...CLUSTER, proposed: PROPOSED, path: 'House/of-both.md' }],
    });
    expect(text).toContain('Merged 1, 0 left.\n');
    expect(text).toContain('\n  became House/of-both.md | Of both\n');
    expect(text).not.toMatch(/First|goes on/);
    expect(consolidationText({ ...WRITTEN, remaining: 1 })).not.toMatch(/goes on/);
    expect(consolidationText({ ...WRITTEN, merger_calls: 5, remaining: 1 })).toMatch(
      /\nThe same call without merges goes on/,
    );
  });

  it('names pairs of different folders and what could not be compared, and how many there are in all', () => {
    const first = Array.from({ length: 100 }, (_, i) => ({ a: `A/${i}.md`, b: `B/${i}.md`, distance: i / 1000 }));
    const text = consolidationText({
      ...DRY,
      cross_namespace: { total: 321, first },
      without_vector: { total: 1, first: ['New/now.md'] },
      degraded: ['vectors_pending'],
    });
    expect(text).toMatch(/never merged: 321 pairs\.\n {2}0\.000 {2}A\/0\.md \| B\/0\.md\n/);
    expect(text).toMatch(/ {2}… and 301 more pairs\n/);
    expect(text).toContain('Not compared, without vectors: 1 note.\n  New/now.md\n');
    expect(text).toContain('Clusters may be missing: notes have no vector yet.\n');
  });

  it('does not list more than a person would read', () => {
    const members = Array.from({ length: 30 }, (_, i) => member(`House/${i}.md`));
    const many = Array.from({ length: 60 }, () => ({ ...CLUSTER, members }));
    const text = consolidationText({ ...DRY, clusters: many, remaining: 60 });
    expect(text).toContain('  … and 10 more notes\n');
    expect(text).toContain('\n… and 10 more clusters\n');
  });
});

describe('what a consolidation could not do', () => {
  const errors = [{ code: 'members_changed', message: 'Changed\nsince.', members: ['House/a.md', 'House/b.md'] }];
  const unmarked = [{ path: 'House/c.md', reason: 'its block cannot be read' }];

  it('comes before the clusters, each on a line', () => {
    const text = consolidationText({ ...WRITTEN, remaining: 1, errors, unmarked, index_error: 'no Redis' });
    expect(text.split('\n').slice(2, 7)).toEqual([
      '',
      'Not merged (members_changed): House/a.md, House/b.md. Changed␊since.',
      'Left as it is: House/c.md: its block cannot be read',
      'The index is brought up to date later: no Redis',
      '',
    ]);
  });

  it('needs a person', () => {
    const answers = [DRY, WRITTEN, { ...WRITTEN, errors }, { ...WRITTEN, unmarked }, { ...WRITTEN, index_error: 'x' }];
    expect(answers.map(needsPerson)).toEqual([false, false, true, true, true]);
  });
});
