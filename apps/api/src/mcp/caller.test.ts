import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { describe, expect, it } from 'vitest';
import { asAuthInfo, type Caller, callerOf } from './caller.ts';

describe('who is behind a request', () => {
  const caller: Caller = { agent: 'operator', source: 'a test', scope: 'Projects' as VaultPath };

  it('arrives as it was sent, and holds no key', () => {
    const authInfo = asAuthInfo(caller);
    expect(callerOf({ authInfo })).toBe(caller);
    expect(authInfo.token).toBe('');
  });

  it.each([
    [{}],
    [{ authInfo: { token: 'x', clientId: 'x', scopes: [] } }],
    [{ authInfo: { token: 'x', clientId: 'x', scopes: [], extra: {} } }],
  ])('is never taken for somebody who may write anywhere: %j', (context) => {
    expect(() => callerOf(context)).toThrow(/without its caller/);
  });
});
