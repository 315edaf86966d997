import { defineConfig } from 'vitest/config'

// On its own: it needs root, Debian's packages and a quarter of an hour.
export default defineConfig({ test: { include: ['test/ha/**/*.test.ts'], testTimeout: 3_600_000, maxWorkers: 1 } })
