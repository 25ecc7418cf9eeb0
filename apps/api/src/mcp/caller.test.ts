import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { describe, expect, it } from 'vitest';
import type { ServedContext } from '../context.ts';
import { asAuthInfo, callerOf, type McpCaller } from './caller.ts';

describe('who is behind a request', () => {
  const caller: McpCaller = {
    request: { agent: 'operator', source: 'a test', scope: 'Projects' as VaultPath },
    context: {} as ServedContext,
    isOperator: true,
  };

  it('arrives as it was sent, and holds no key', () => {
    const authInfo = asAuthInfo(caller);
    expect(callerOf({ authInfo })).toBe(caller);
    expect(authInfo.token).toBe('');
  });

  it.each([
    [{}],
    [{ authInfo: { token: 'x', clientId: 'x', scopes: [] } }],
    [{ authInfo: { token: 'x', clientId: 'x', scopes: [], extra: {} } }],
  ])('is never taken for somebody who may reach anything: %j', (context) => {
    expect(() => callerOf(context)).toThrow(/without its caller/);
  });
});
