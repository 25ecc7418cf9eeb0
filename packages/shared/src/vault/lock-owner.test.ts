import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTempFolder, type TempFolder } from '../../../../test/support/temp-folder.ts';
import { type LockOwner, OthersAtWorkError, registerLockOwner, whileAlone } from './lock-owner.ts';

let folder: TempFolder;
let owners: LockOwner[];
beforeEach(async () => {
  folder = await createTempFolder('owners');
  owners = [];
});
afterEach(async () => {
  for (const owner of owners) owner.close();
  await folder.remove();
});

function register(): LockOwner {
  const { owner } = registerLockOwner(folder.path, () => null);
  owners.push(owner);
  return owner;
}

it('does work alone where nobody is alive, and lets others in afterwards, also after it has failed', async () => {
  expect(await whileAlone(folder.path, async () => 7)).toBe(7);
  await expect(whileAlone(folder.path, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(register().isAlive(owners[0]?.id ?? '')).toBe(true);
});

it('does no work while an owner is alive', async () => {
  const owner = register();
  let done = false;
  const work = () =>
    whileAlone(folder.path, async () => {
      done = true;
    });
  await expect(work()).rejects.toThrow(/Another program works with .*: stop servers/);
  expect(done).toBe(false);
  owner.close();
  await work();
  expect(done).toBe(true);
});

it('lets nobody register meanwhile, who is told why', async () => {
  await whileAlone(folder.path, async () => {
    expect(register).toThrow(OthersAtWorkError);
    expect(register).toThrow(/for itself, as a restore does/);
  });
  register();
});
