import { describe, expect, it } from 'vitest';
import { isMachineRoot } from './running-user.ts';

/** As the kernel writes them. */
const WHOLE = '         0          0 4294967295\n';
const ROOTLESS = '         0       1000          1\n         1     100000      65536\n';
const REMAPPED = '         0     231072      65536\n';

describe('root', () => {
  it.each([
    ['the machine’s own', 0, WHOLE, true],
    ['on a system without maps of users', 0, null, true],
    ['of a container without privileges, which is whoever started it', 0, ROOTLESS, false],
    ['of a container whose users are remapped', 0, REMAPPED, false],
    ['not at all, but another user', 1000, WHOLE, false],
    ['not at all, on a system without such users', undefined, null, false],
  ])('%s', (_who, uid, map, expected) => {
    expect(isMachineRoot(uid, map)).toBe(expected);
  });
});
