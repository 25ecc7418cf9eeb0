import { createAccess } from '@vault-mcp/shared/vault/access';
import { viewOf } from '@vault-mcp/shared/vault/view';
import { describe, expect, it } from 'vitest';
import { readingSuite } from '../../../../test/support/reading-context.ts';
import { findByFrontmatter, findByFrontmatterInput } from './find-by-frontmatter.ts';
import { parseInput } from './input.ts';
import { listCallouts, listCalloutsInput } from './list-callouts.ts';
import { listExpiries, listExpiriesInput } from './list-expiries.ts';

const VISIBLE = {
  'Car/Car.md': '---\nstatus: open\nexpires: [{date: 2026-12-01, what: tax}]\n---\n> [!todo] Wash\n',
  'Car/Bad.md': '---\nstatus: [\n---\n',
  'Car/Plain.md': '# Plain\n\n> [!bug]\n',
};
const HIDDEN = {
  'Car/Shut/Secret.md': '---\nstatus: open\nexpires: [{date: 2026-01-01, what: secret}]\n---\n> [!todo] Secret\n',
  'Health/Doctor.md': '---\nstatus: open\nexpires: none\nexpires_reason: private\n---\n> [!todo] Secret\n',
  'Health/Broken.md': '---\nstatus: [\nexpires: none\n---\n',
  'Plain.md': '# Untracked\n',
  'index.md': '# By hand\n\n> [!todo] All of it\n',
};
const PART = [
  { prefix: 'Car', read: true },
  { prefix: 'Car/Shut', read: false },
];

const whole = readingSuite({ ...VISIBLE, ...HIDDEN });
const twin = readingSuite(VISIBLE);
const part = () => ({ ...whole.context, vault: viewOf(whole.context.vault, createAccess(PART)) });
const now = () => new Date('2026-11-30T12:00:00Z');

describe('a question about all notes, of who may read a part of them', () => {
  it.each([
    ['by a key', { key: 'status' }],
    ['by a value', { key: 'status', value: 'open' }],
    ['in a folder of which a part is hidden', { key: 'status', dir: 'Car' }],
  ])('is answered as if there were no others: frontmatter, %s', async (_what, input) => {
    const asked = parseInput(findByFrontmatterInput, input);
    expect(await findByFrontmatter(part(), asked)).toEqual(await findByFrontmatter(twin.context, asked));
    expect(await findByFrontmatter(part(), asked)).not.toEqual(await findByFrontmatter(whole.context, asked));
  });

  it.each([{}, { within: 0 }, { untracked: true }, { dir: 'Car' }])(
    'is answered as if there were no others: expiries %o',
    async (input) => {
      const asked = parseInput(listExpiriesInput, input);
      const of = (context: typeof whole.context) => listExpiries({ ...context, now }, asked);
      expect(await of(part())).toEqual(await of(twin.context));
      expect(await of(part())).not.toEqual(await of(whole.context));
    },
  );

  it.each([{}, { type: 'todo' }, { dir: 'Car' }])(
    'is answered as if there were no others: callouts %o',
    async (input) => {
      const asked = parseInput(listCalloutsInput, input);
      for (let round = 0; round < 2; round++) {
        expect(await listCallouts(part(), asked)).toEqual(await listCallouts(twin.context, asked));
        expect(await listCallouts(part(), asked)).not.toEqual(await listCallouts(whole.context, asked));
      }
    },
  );

  it.each(['Health', 'Car/Shut', 'Nowhere'])('knows no folder %s', async (dir) => {
    const said = async (context: typeof whole.context) =>
      listExpiries({ ...context, now }, parseInput(listExpiriesInput, { dir })).catch(
        ({ code, message }) => `${code} ${message}`,
      );
    expect(await said(part())).toBe(await said(twin.context));
    expect(await said(part())).toMatch(/^not_found/);
  });

  it('leaves out nothing of what its own folders hold when others ask in between', async () => {
    const asked = parseInput(listCalloutsInput, {});
    const first = await listCallouts(part(), asked);
    await listCallouts(whole.context, asked);
    expect(await listCallouts(part(), asked)).toEqual(first);
  });
});

describe('a script for callouts', () => {
  it('is nothing to who may read a part of the vault', async () => {
    whole.put('.scripts/extract_callouts.py', 'print("{\\"callouts\\": [{\\"title\\": \\"of a script\\"}]}")\n');
    const asked = parseInput(listCalloutsInput, {});
    expect(await listCallouts(part(), asked)).toMatchObject({ source: 'built-in', script: null });
  });
});
