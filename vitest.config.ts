// One configuration for unit tests beside their sources and for test/, which holds what crosses folders.
// The `source` condition makes workspace imports resolve to TypeScript sources; worker threads and child
// processes still start from compiled files, which `pretest` builds.
import process from 'node:process';
import { defineConfig } from 'vitest/config';

// Container tests need a Docker engine and minutes, so only .ci/run asks for them.
const withContainers = process.env.VAULT_MCP_CONTAINER_TESTS === '1';

export default defineConfig({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source', 'node', 'import', 'module', 'default'] } },
  test: {
    include: withContainers
      ? ['test/containers/**/*.test.ts']
      : ['packages/*/src/**/*.test.ts', 'apps/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', ...(withContainers ? [] : ['test/containers/**'])],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
  },
});
