import { setImmediate as nextTurn } from 'node:timers/promises';
import { silentLogger } from '@vault-mcp/shared/log';
import { expect, it } from 'vitest';
import { giveBackMemory } from './give-back-memory.ts';

it('lets go of what nothing holds any more', async () => {
  const held = { some: 'thing' };
  const refs = [new WeakRef({ other: 'thing' }), new WeakRef(held)];
  // A weak reference holds what it was given until the turn ends.
  await nextTurn();
  await giveBackMemory(silentLogger());
  expect(refs.map((ref) => ref.deref())).toEqual([undefined, held]);
});
