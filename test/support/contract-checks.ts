/**
 * Answers held to openapi.yaml, and the account of which of its statuses were seen: what the contract tests of reading
 * and of writing share. Danger: a status that is described and never answered is found only when `unanswered` is asked
 * for, after every other check.
 */
import { createApp } from '@vault-mcp/api/app';
import { createCallers, NO_AGENT_KEYS } from '@vault-mcp/api/callers';
import type { ServedContext } from '@vault-mcp/api/context';
import { createMcpEndpoint } from '@vault-mcp/api/mcp/server';
import { createMetrics } from '@vault-mcp/api/metrics';
import { expect } from 'vitest';
import { contractProblems, type Operation } from './openapi.ts';
import { ABOUT, API_KEY } from './served-vault.ts';

/** A note in the vault that contract tests serve. */
export const NOTE = 'Garden/Pear%20tree.md';

export const JSON_BODY = { 'content-type': 'application/json' };

export interface ContractChecks {
  readonly operations: readonly Operation[];
  operation(id: string): Operation;
  /** Holds an answer to its description, and remembers that this status was seen. */
  check(id: string, status: number, answer: Response): Promise<void>;
  /** Each status that is described and was not seen, after its operation. */
  unanswered(): string[];
}

export function contractChecks(operations: readonly Operation[]): ContractChecks {
  const answered = new Set<string>();
  const operation = (id: string) => {
    const found = operations.find((each) => each.id === id);
    if (!found) throw new Error(`openapi.yaml has no operation ${id} of this kind`);
    return found;
  };
  return {
    ...{ operations, operation },
    async check(id, status, answer) {
      const described = operation(id);
      expect([id, answer.status, await answer.clone().text()]).toEqual([id, status, expect.any(String)]);
      expect(answer.headers.get('x-request-id')).toMatch(/\S/);
      expect([id, status, await contractProblems(described, answer)]).toEqual([id, status, []]);
      answered.add(`${id} ${status}`);
    },
    unanswered() {
      const described = operations.flatMap(({ id, responses }) =>
        Object.keys(responses).map((status) => `${id} ${status}`),
      );
      return described.filter((each) => !answered.has(each));
    },
  };
}

/** Whether an operation changes the vault: those all can be tried without changing anything. */
export function isWrite({ parameters }: Operation): boolean {
  return parameters.some(({ name }) => name === 'dry_run');
}

/** A path that leads to the operation. */
export function pathOf({ path }: Operation): string {
  const named = path.replace('{document}', 'Garden/Files/plan').replace('{n}', '1');
  return named.replace('{path}', path.startsWith('/folder/') ? 'Garden' : NOTE);
}

/** The surface over a context, without a socket. */
export function appWith(context: ServedContext): ReturnType<typeof createApp> {
  const metrics = createMetrics();
  const { config, log, audit } = context;
  const mcp = createMcpEndpoint({ config, log, metrics, version: '1' });
  const callers = createCallers(context, { apiKey: API_KEY, agents: NO_AGENT_KEYS }, null);
  return createApp({ callers, config, log, audit, about: ABOUT, mcp, metrics });
}

/** Headers of a call to `appWith`. */
export const CALLER = { authorization: `Bearer ${API_KEY}`, host: 'localhost' };

/** A part of which every use fails, as a defect would. */
export function failing<T extends object>(): T {
  return new Proxy({} as T, {
    get() {
      throw new Error('ENOSPC: /home/somebody/private');
    },
  });
}
