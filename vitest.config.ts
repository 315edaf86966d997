import { defineConfig } from 'vitest/config'

const alone = 'test/api/door.test.ts'

export default defineConfig({
  test: {
    // One for each core of the smallest machine: the tests are I/O-bound.
    maxWorkers: 2,
    coverage: { provider: 'v8', include: ['src/**/*.{ts,tsx}'], reporter: ['text-summary', 'html'] },
    projects: [
      { test: { name: 'unit', include: ['src/**/*.test.{ts,tsx}'] } },
      { test: { name: 'architecture', include: ['test/*.test.ts'] } },
      {
        test: {
          name: 'api',
          include: ['test/{api,concurrency}/**/*.test.ts'],
          exclude: [alone],
          globalSetup: 'test/support/global-setup.ts',
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'alone',
          include: [alone],
          globalSetup: 'test/support/global-setup.ts',
          testTimeout: 30_000,
          hookTimeout: 30_000,
          // The transactions of other tests in the same PostgreSQL would be news to a phone, too.
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          globalSetup: 'test/support/global-setup.ts',
          testTimeout: 180_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.e2e.ts'],
          testTimeout: 240_000,
          // A server that starts on a busy machine takes its time.
          hookTimeout: 180_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
