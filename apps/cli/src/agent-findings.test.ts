import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '@vault-mcp/shared/config/schema';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testConfig } from '../../../test/support/indexed-vault.ts';
import { createTempFolder, type TempFolder } from '../../../test/support/temp-folder.ts';
import { agentFindings } from './agent-findings.ts';

let folder: TempFolder;
beforeEach(async () => {
  folder = await createTempFolder('agent-findings');
});
afterEach(() => folder.remove());

/** What is found with these keys (a file's whole text), under this policy. */
function found(keys: string | null, policy: Config['agents']['policy'], more: Partial<Config['agents']> = {}) {
  const config = testConfig(folder.path);
  mkdirSync(config.data.path, { recursive: true });
  if (keys !== null) writeFileSync(join(config.data.path, 'agent-keys.json'), keys);
  return agentFindings({ ...config, agents: { ...config.agents, policy, ...more } });
}
const KEYS = JSON.stringify({ scribe: 'a'.repeat(64) });

describe('what doctor finds of agents', () => {
  it('is nothing where none has a key, and none where each has its rules', () => {
    expect(found(null, null)).toEqual([]);
    expect(found(KEYS, { scribe: [] })).toEqual([]);
  });

  it('needs nobody where keys open everything for want of a policy', () => {
    expect(found(KEYS, null)).toEqual([expect.objectContaining({ severity: 'info', code: 'agents_policy' })]);
  });

  it('needs somebody where an agent with a key stands in no policy', () => {
    expect(found(KEYS, {})).toEqual([expect.objectContaining({ severity: 'warning', code: 'agents_policy' })]);
  });

  it('is an error where a server would not start: the named file is not there, or holds the operator’s key', () => {
    const keys_file = join(folder.path, 'named.json');
    const error = (message: RegExp) => [
      expect.objectContaining({ severity: 'error', message: expect.stringMatching(message) }),
    ];
    expect(found(null, {}, { keys_file })).toEqual(error(/named\.json cannot be used: it is not there/));
    const operators = testConfig(folder.path).server.api_key ?? '';
    const digest = createHash('sha256').update(operators).digest('hex');
    expect(found(JSON.stringify({ scribe: digest }), { scribe: [] })).toEqual(error(/is also the operator's/));
  });

  it('is an error where the keys cannot be used, so that no agent is let in', () => {
    expect(found('{"scribe"', {})).toEqual([
      expect.objectContaining({
        severity: 'error',
        code: 'agent_keys_unusable',
        message: expect.stringMatching(/cannot/),
      }),
    ]);
  });
});
