/** A text side whose parts the test plays: what was compared, how a look ends. */
import { type BuildDeps, createBuild } from '@vault-mcp/indexer/watch/build';
import { silentLogger } from '@vault-mcp/shared/log';

export function buildOver(
  overrides: Partial<BuildDeps>,
  built: { builtAt: string; buildSeconds: number } | null = null,
) {
  let now = 0;
  const events: string[] = [];
  const build = createBuild(
    {
      wipe: () => events.push('wipe'),
      reconcile: async () => ({ seen: 0, differing: 0, unreadable: [] }),
      // A job does it, which the tests play.
      lookAt: async () => false,
      onLeft: (error) => events.push(`left: ${(error as Error).message}`),
      onChange: () => {},
      onReady: () => events.push('ready'),
      logger: silentLogger(),
      maxAttempts: 3,
      retrySeconds: 5,
      sleep: async (ms) => {
        events.push(`sleep ${ms}`);
      },
      now: () => (now += 1000),
      ...overrides,
    },
    built,
  );
  return { build, events };
}

/** A comparison that finds that these differ. */
export const finds = (...paths: string[]): Pick<BuildDeps, 'reconcile'> => ({
  reconcile: async (met) => {
    paths.forEach(met);
    return { seen: paths.length, differing: paths.length, unreadable: [] };
  },
});

export const damage = () => Object.assign(new Error('malformed'), { code: 'SQLITE_CORRUPT' });

/** Lets everything happen that waits for nothing else. */
export const turn = () => new Promise(setImmediate);

/** Looks that end when the test says so, oldest first. */
export function heldLooks() {
  const ends: (() => void)[] = [];
  const looked: string[] = [];
  return {
    looked,
    lookAt: (path: string) => {
      looked.push(path);
      return new Promise<boolean>((resolve) => ends.push(() => resolve(true)));
    },
    async endOne() {
      ends.shift()?.();
      await turn();
    },
  };
}
