/** `.env` beside the compose file, with nothing in the environment: the two lines that everybody sets, and settings of the programs. */
import { ERROR_STATUS } from '@vault-mcp/shared/errors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCheckout } from '../support/containers/checkout.ts';
import { withContainers } from '../support/containers/images.ts';
import { KEY, type Project } from '../support/containers/project.ts';

describe.skipIf(!withContainers)('a copy of .env.example with its first two lines set', () => {
  let project: Project;
  beforeAll(async () => {
    const vault = { 'Straße.md': '# Straße\n\nDie Häuser sind frisch gestrichen.\n' };
    project = await startCheckout(vault, { SEARCH_LANGUAGE: 'de', READ_ONLY: 'true' });
    await project.untilReady();
  });
  afterAll(() => project?.down());

  it('brings a setting to both programs: the indexer cuts words as the api asks for them', async () => {
    expect(await project.search('Haus')).toEqual(['Straße.md']);
    for (const service of ['api', 'indexer']) {
      expect((await project.exec(service, 'printenv', 'SEARCH_LANGUAGE', 'READ_ONLY')).output).toBe('de\ntrue\n');
    }
  });

  it('brings a setting to the one program that it concerns: nothing can be written', async () => {
    const { status, body } = await project.call('PUT', '/vault/New.md', 'x');
    expect([status, body.error]).toEqual([
      ERROR_STATUS.out_of_scope,
      expect.stringContaining('This server is read-only'),
    ]);
  });

  it('shows the key of the clients to the api alone', async () => {
    expect((await project.exec('api', 'printenv', 'VAULT_MCP_API_KEY')).output).toBe(`${KEY}\n`);
    expect((await project.exec('indexer', 'env')).output).not.toContain(KEY);
  });
});
