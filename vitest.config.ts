// One configuration for unit tests beside their sources and for test/, which holds what crosses folders.
// The `vault-mcp-source` condition makes workspace imports resolve to TypeScript sources (a name of our own: packages
// from the registry publish `source` too, and Node would try to run theirs); worker threads and child
// processes still start from compiled files, which `pretest` builds.
import { availableParallelism } from 'node:os';
import process from 'node:process';
import { defineConfig } from 'vitest/config';

// Container tests need a Docker engine and minutes, so only .ci/run asks for them; otherwise they are skipped, visibly.
const withContainers = process.env.TEST_CONTAINERS === '1';

export default defineConfig({
  resolve: { conditions: ['vault-mcp-source'] },
  ssr: { resolve: { conditions: ['vault-mcp-source', 'node', 'import', 'module', 'default'] } },
  test: {
    include: withContainers
      ? ['test/containers/**/*.test.ts']
      : ['packages/*/src/**/*.test.ts', 'apps/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    globalSetup: withContainers ? ['test/containers/build-images.ts'] : [],
    // Only what hangs should ever meet these: many tests start processes, and the machine may be busy with others.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // Vitest leaves one core free, which on a machine of two means one file after the other.
    maxWorkers: Math.max(2, availableParallelism()),
  },
});
