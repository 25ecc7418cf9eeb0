/**
 * `--agent`: in whose name a command that reads or writes notes works. Danger: under a policy the operator's own programs
 * name an agent too, as their calls over HTTP do, so that a command answers the same with a server and without one.
 */
import { operatorsAccess } from '@vault-mcp/api/callers';
import { compilePolicy } from '@vault-mcp/api/memory/scopes';
import type { Config } from '@vault-mcp/shared/config/schema';
import { AppError } from '@vault-mcp/shared/errors';
import type { Access } from '@vault-mcp/shared/vault/access';
import type { Command } from 'commander';
import { CliError, EXIT } from './exit-codes.ts';

export interface AgentOptions {
  readonly agent?: string;
}

export function withAgentOption(command: Command): Command {
  return command.option('--agent <name>', 'in the name of this agent of agents.policy, with its rights');
}

/** Under a policy the operator's key calls in the name of an agent: one to show how. Undefined where there is none. */
export function exampleAgent({ agents: { policy } }: Config): string | undefined {
  return policy === null ? undefined : (Object.keys(policy)[0] ?? 'NAME');
}

/** What the command may do. @throws CliError for an agent that there cannot be, or none where a policy asks for one */
export function accessOf(config: Config, { agent }: AgentOptions): Access {
  try {
    return operatorsAccess(compilePolicy(config.agents.policy), agent);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const message =
      agent === undefined
        ? `There is a policy (agents.policy), so this names an agent: --agent ${exampleAgent(config)}.`
        : error.message.replace('The name in X-Vault-Agent', `"${agent}"`);
    throw new CliError(EXIT.usage, message, { cause: error });
  }
}
