/** What doctor has to say about the agents' keys and the policy over them. Reads the configuration and the file of the keys. */
import { policyRemarks } from '@vault-mcp/api/memory/scopes';
import { agentKeysDemands, agentKeysPath } from '@vault-mcp/api/open-callers';
import type { Config } from '@vault-mcp/shared/config/schema';
import { AgentKeysError, readServedKeys } from '@vault-mcp/shared/records/agent-keys';
import { keyOf } from './api-key.ts';
import type { Finding } from './findings.ts';

/** Keys that a server would refuse to start over are an error here, too. */
export function agentFindings(config: Config): Finding[] {
  const { policy } = config.agents;
  try {
    const demands = agentKeysDemands(config, keyOf(config)?.value);
    const names = readServedKeys(agentKeysPath(config), demands).keys();
    // Keys without a policy are what somebody wanted, and worth knowing.
    const severity = policy === null ? 'info' : 'warning';
    return policyRemarks(policy, names).map((message) => ({ code: 'agents_policy', severity, message }));
  } catch (error) {
    if (!(error instanceof AgentKeysError)) throw error;
    return [{ code: 'agent_keys_unusable', severity: 'error', message: error.message }];
  }
}
