// What the scripts of the served vault are kept from, as the configuration has it.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testConfig } from '../../../../test/support/indexed-vault.ts';
import { scriptSettings } from './vault-scripts.ts';

it('what no script may read is all of ours, the file with the agents’ keys, and whatever settings stand in', () => {
  const base = testConfig('/base');
  const config = { ...base, agents: { ...base.agents, keys_file: '/etc/vault-mcp/agents.yaml' } };
  const { secrets } = scriptSettings({ config, settingFiles: ['/etc/vault-mcp/key'] });
  expect(secrets).toEqual(
    expect.arrayContaining([config.data.path, config.index.path, '/etc/vault-mcp/agents.yaml', '/etc/vault-mcp/key']),
  );
  expect(secrets).toContain(join(config.data.path, 'index.db'));
});
