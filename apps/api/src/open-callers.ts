/**
 * Who may call this server, from its configuration: the operator's key, the agents' keys as their file says, and the policy
 * over them. Danger: what looks like a lock and is none (keys without a policy) is told at the start.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Config } from '@vault-mcp/shared/config/schema';
import { AGENT_KEYS_FILE, type AgentKeysDemands, openAgentKeys } from '@vault-mcp/shared/records/agent-keys';
import { type Callers, createCallers } from './callers.ts';
import type { ServedContext } from './context.ts';
import { compilePolicy, policyRemarks } from './memory/scopes.ts';

/** Where the agents' keys stand. */
export function agentKeysPath({ agents, data }: Config): string {
  return agents.keys_file ?? join(data.path, AGENT_KEYS_FILE);
}

/**
 * What the file of the agents' keys has to be.
 *
 * @param apiKey the operator's; undefined where none is made yet
 */
export function agentKeysDemands({ agents, server }: Config, apiKey: string | undefined): AgentKeysDemands {
  const others = [apiKey, server.metrics_key ?? undefined].filter((key) => key !== undefined);
  return { required: agents.keys_file !== null, forbidden: others.map(digest) };
}

/**
 * @param apiKey the operator's: in embedded mode it may be a generated one, so it is not read from the configuration
 * @throws AgentKeysError when the agents' keys cannot be used
 */
export function openCallers(context: ServedContext, apiKey: string): Callers {
  const { config, log } = context;
  const metricsKey = config.server.metrics_key ?? undefined;
  const agents = openAgentKeys(agentKeysPath(config), {
    ...agentKeysDemands(config, apiKey),
    logger: log,
  });
  for (const remark of policyRemarks(config.agents.policy, agents.current().keys())) log.warn(remark);
  return createCallers(context, { apiKey, metricsKey, agents }, compilePolicy(config.agents.policy));
}

function digest(key: string): Buffer {
  return createHash('sha256').update(Buffer.from(key, 'utf8')).digest();
}
