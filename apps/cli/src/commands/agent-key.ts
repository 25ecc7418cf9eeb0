/**
 * `vault-mcp key add|list|revoke`: the agents' own keys. A running server follows within a second, and is not called.
 * Danger: a key is shown once, when it is made; what is kept is its digest.
 */
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { agentKeysDemands, agentKeysPath } from '@vault-mcp/api/open-callers';
import { agentNameProblem, sameButForCase } from '@vault-mcp/shared/config/agent-names';
import type { Config } from '@vault-mcp/shared/config/schema';
import { AppError } from '@vault-mcp/shared/errors';
import { changeAgentKeys, readServedKeys } from '@vault-mcp/shared/records/agent-keys';
import type { Command } from 'commander';
import { keyOf } from '../api-key.ts';
import { audited } from '../audited-command.ts';
import { clientSnippet } from '../client-snippet.ts';
import { commandLog } from '../command-log.ts';
import { CliError, EXIT, EXIT_CODE_HELP, type ExitCode } from '../exit-codes.ts';
import { type CommonOptions, withCommonOptions } from '../options.ts';
import { answer, counted, remark } from '../output.ts';
import { settlePlace } from '../place.ts';
import { findRunningServer } from '../server-json.ts';

/** 256 bits: nobody guesses one, so that its digest needs no salt. */
const KEY_BYTES = 32;
/** Enough of a digest to tell keys apart, and of no use to anybody. */
const SHOWN_DIGITS = 8;

interface AddOptions extends CommonOptions {
  readonly replace?: boolean;
}

/** Adds the three to `key`. */
export function defineAgentKeys(command: Command, setExitCode: (code: ExitCode) => void): void {
  // What stands behind one of them is its own, though `key` knows options of the same names.
  command.enablePositionalOptions();
  const add = command.command('add <agent>').description('make a key for an agent, and show it once');
  add.option('--replace', 'in place of the one it has, which opens nothing any more');
  const list = command.command('list').description('the agents that have a key');
  const revoke = command.command('revoke <agent>').description("take an agent's key away");
  for (const each of [add, list, revoke]) each.addHelpText('after', EXIT_CODE_HELP);
  withCommonOptions(add).action(async (agent: string) => setExitCode(await addKey(agent, add.optsWithGlobals())));
  withCommonOptions(list).action(async () => setExitCode(listKeys(list.optsWithGlobals())));
  withCommonOptions(revoke).action(async (agent: string) =>
    setExitCode(await revokeKey(agent, revoke.optsWithGlobals())),
  );
}

async function addKey(agent: string, options: AddOptions): Promise<ExitCode> {
  const { config } = settlePlace(options, 'use-example');
  const problem = agentNameProblem(agent);
  if (problem !== null) throw new CliError(EXIT.usage, `"${agent}" ${problem}.`);
  const key = randomBytes(KEY_BYTES).toString('base64url');
  const replace = options.replace === true;
  await change(config, options, { operation: 'key-add', args: { agent, replace } }, (keys) => {
    if (keys.has(agent) && !replace) {
      const message = `"${agent}" has a key already. With --replace it gets another one, and the old one opens nothing.`;
      throw new AppError('already_exists', message);
    }
    const alike = sameButForCase([...keys.keys()].filter((name) => name !== agent).concat(agent));
    if (alike !== null) {
      const message = `There is a key for "${alike[0]}", which differs from "${agent}" by case alone: use that name, or another.`;
      throw new AppError('already_exists', message);
    }
    keys.set(agent, createHash('sha256').update(key).digest('hex'));
  });
  const running = await findRunningServer(config.data.path);
  const url = running?.url ?? `http://${config.server.host}:${config.server.port}`;
  const file = agentKeysPath(config);
  answer(options.json, { agent, key, file, url }, () =>
    [
      `Key of ${agent}: ${key}`,
      `It is shown this once; its digest is kept in ${file}`,
      '',
      clientSnippet(url, key),
    ].join('\n'),
  );
  if (config.agents.policy === null) remark('There is no agents.policy: this key reads and writes the whole vault.');
  else if (!inPolicy(config, agent)) {
    remark(`agents.policy lacks "${agent}": all that it asks for is refused until it stands there.`);
  }
  return EXIT.ok;
}

function listKeys(options: CommonOptions): ExitCode {
  const { config } = settlePlace(options, 'use-example');
  const file = agentKeysPath(config);
  const keys = readServedKeys(file, agentKeysDemands(config, keyOf(config)?.value));
  const agents = [...keys].sort(byName).map(([agent, digest]) => ({
    agent,
    digest: digest.toString('hex').slice(0, SHOWN_DIGITS),
    in_policy: config.agents.policy === null ? null : inPolicy(config, agent),
  }));
  answer(options.json, { file, agents }, () =>
    agents.length === 0
      ? `No agent has a key (${file}).`
      : agents
          .map(
            ({ agent, digest, in_policy }) =>
              `${agent}  ${digest}${in_policy === false ? '  not in agents.policy' : ''}`,
          )
          .join('\n'),
  );
  const unknown = agents.filter(({ in_policy }) => in_policy === false).length;
  if (unknown === 0) return EXIT.ok;
  remark(`agents.policy lacks ${counted(unknown, 'agent')} that ${unknown === 1 ? 'has a key' : 'have keys'}.`);
  return EXIT.findings;
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

async function revokeKey(agent: string, options: CommonOptions): Promise<ExitCode> {
  const { config } = settlePlace(options, 'use-example');
  await change(config, options, { operation: 'key-revoke', args: { agent } }, (keys) => {
    if (!keys.delete(agent)) throw new AppError('not_found', `"${agent}" has no key; vault-mcp key list says who has.`);
  });
  answer(options.json, { agent, revoked: true }, () => `The key of ${agent} opens nothing any more.`);
  return EXIT.ok;
}

/** @throws CliError for what the call got wrong; AgentKeysError */
async function change(
  config: Config,
  options: CommonOptions,
  call: { readonly operation: string; readonly args: unknown },
  alter: (keys: Map<string, string>) => void,
): Promise<void> {
  try {
    await audited(config, commandLog(config, options), call, () =>
      changeAgentKeys(agentKeysPath(config), join(config.data.path, 'locks'), alter),
    );
  } catch (error) {
    if (error instanceof AppError) throw new CliError(EXIT.usage, error.message, { cause: error });
    throw error;
  }
}

function inPolicy({ agents: { policy } }: Config, agent: string): boolean {
  return policy !== null && Object.hasOwn(policy, agent);
}
