// The write gate shows an agent no note that it may not read, and none of its answers says that there is one: two servers, one
// with the hidden notes and one without, are proposed the same, over REST and MCP.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type McpClient, modernClient } from '../support/mcp-clients.ts';
import { type ServedVault, serveVault } from '../support/served-vault.ts';

const TYRES = 'The winter tyres are in the cellar of the garage, marked front and rear.';
const DOCTOR = 'The doctor moved to the corner of Quarry Lane and has a new telephone number.';
const VISIBLE = {
  'Car/Tyres.md': `---\ntype: fact\ntitle: Tyres\n---\n${TYRES}\n`,
  'Car/Plan.md': '# Plan\n\nService in May.\n',
};
const HIDDEN = {
  'Health/Doctor.md': `---\ntype: fact\ntitle: Doctor\n---\n${DOCTOR}\n`,
  'Health/Tyres.md': `---\ntype: fact\ntitle: Tyres\n---\n${TYRES}\n`,
  'Car/Shut/Tyres.md': `---\ntype: fact\ntitle: Tyres\n---\n${TYRES} Shut.\n`,
};
const OVERRIDES = {
  'agents.policy': {
    scribe: [
      { prefix: 'Car', read: true, write: true },
      { prefix: 'Car/Shut', read: false, write: false },
    ],
    owner: [{ prefix: '', read: true, write: true }],
  },
  // Ranks lean on the words of the whole vault (docs/agents.md). This ceiling admits nothing by them, and the share of a proposal's
  // own rank, which no setting switches off, comes to the same in both vaults for these texts: they say the same or
  // share none but the commonest words.
  ...{ 'gate.distance_ceiling': 0.6, 'gate.bm25_ceiling': -1000 },
};

const candidate = (title: string, body: string, more: object = {}) => ({
  ...{ title, type: 'fact', namespace: 'Car', body, dry_run: true, ...more },
});
const PROPOSALS = {
  'like a hidden note': candidate('The doctor moved', DOCTOR),
  'like a visible and a hidden one': candidate('Tyres again', TYRES),
  'for a hidden target': candidate('Tyres again', TYRES, {
    decision: { action: 'supersede', target: 'Health/Tyres.md' },
  }),
  'for a hidden target below': candidate('Tyres', TYRES, {
    decision: { action: 'update', target: 'Car/Shut/Tyres.md', append: 'x' },
  }),
  'for a visible target': candidate('Tyres again', TYRES, {
    decision: { action: 'supersede', target: 'Car/Tyres.md' },
  }),
  'into a hidden folder': candidate('Doctor', DOCTOR, { namespace: 'Health' }),
  'into a hidden folder below': candidate('Tyres', TYRES, { namespace: 'Car/Shut' }),
  'into one that is not there': candidate('Doctor', DOCTOR, { namespace: 'Nowhere' }),
  'with a token of nobody’s': candidate('Doctor', DOCTOR, {
    ...{ dry_run: false, token: 'made-up', decision: { action: 'create' } },
  }),
  // The last two are no dry runs.
  'to be decided': candidate('Tyres for ever', TYRES, { dry_run: false }),
  'like a hidden note, in earnest': candidate('The doctor has moved', DOCTOR, { dry_run: false }),
};

interface Twin {
  readonly served: ServedVault;
  readonly mcp: McpClient;
}

async function twin(files: Record<string, string>): Promise<Twin> {
  const served = await serveVault(files, OVERRIDES);
  const mcp = await modernClient({ url: new URL(`${served.url}/mcp`), headers: { 'x-vault-agent': 'scribe' } });
  return { served, mcp };
}

let whole: Twin;
let alone: Twin;
beforeAll(async () => {
  [whole, alone] = await Promise.all([twin({ ...VISIBLE, ...HIDDEN }), twin(VISIBLE)]);
});
afterAll(() => Promise.all([whole, alone].map(({ served, mcp }) => mcp.close().then(() => served.close()))));

/** Without what is another each time, or hangs on the moment. */
const masked = (text: string) =>
  text
    .replaceAll(/[0-9a-f]{64}/g, 'ETAG')
    .replaceAll(/[A-Za-z0-9_-]{32}(?=\\?")/g, 'TOKEN')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'NOW');

async function overRest({ served }: Twin, body: object, agent = 'scribe'): Promise<string> {
  const answer = await served.get('/memory/propose', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-vault-agent': agent },
    body: JSON.stringify(body),
  });
  return masked(`${answer.status} ${await answer.text()}`);
}

async function overMcp({ mcp }: Twin, body: object): Promise<string> {
  const { isError, structuredContent, content } = await mcp.call('vault_propose', { ...body });
  return masked(JSON.stringify({ isError, structuredContent, content }));
}

describe('an agent that proposes', () => {
  it.each(Object.entries(PROPOSALS))(
    'is answered as if there were no more than it may read: %s',
    async (_say, body) => {
      const said = await overRest(whole, body);
      expect(said).toBe(await overRest(alone, body));
      // What came before over REST would be similar.
      const other = { ...body, title: `${body.title} too` };
      expect(await overMcp(whole, other)).toBe(await overMcp(alone, other));
      expect(said).not.toMatch(/Health\/[DT]/);
      expect(said).not.toContain('Car/Shut/Tyres');
    },
  );

  it('is told of notes where it may read them, so that the comparison means something', async () => {
    const similar = await overRest(whole, PROPOSALS['like a visible and a hidden one']);
    expect(similar).toContain('Car/Tyres.md');
    for (const say of ['like a hidden note', 'for a hidden target', 'into a hidden folder'] as const) {
      const ofOwner = await overRest(whole, PROPOSALS[say], 'owner');
      expect([say, ofOwner]).not.toEqual([say, await overRest(whole, PROPOSALS[say])]);
      expect(ofOwner).toContain('Health/');
    }
  });
});
