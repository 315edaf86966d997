import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['src/**/*.test.{ts,tsx}'] } },
      { test: { name: 'architecture', include: ['test/*.test.ts'] } },
      {
        test: {
          name: 'api',
          include: ['test/{api,concurrency}/**/*.test.ts'],
          globalSetup: 'test/support/global-setup.ts',
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          globalSetup: 'test/support/global-setup.ts',
          testTimeout: 120_000,
          hookTimeout: 60_000,
          // They kill servers and use whole cores: one after the other.
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.e2e.ts'],
          testTimeout: 90_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
