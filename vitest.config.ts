import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { generateTexts } from './scripts/texts.mjs'

keepFilesInMemory()
await generateTexts()

/** Needs its database server to itself: a transaction of another test would show up in what its phones are told. */
const serial = 'test/api/door.test.ts'

/** Files that take minutes. Begun last, each would run on alone at the end. */
const longest = ['kill.test', 'staff.e2e', 'door.e2e', 'payment.e2e', 'journey.e2e', 'dialogs.e2e', 'board.e2e']

/** What takes longest begins first. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((name) => moduleId.endsWith(`/${name}.ts`))
      return at === -1 ? longest.length : at
    }
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}

export default defineConfig({
  test: {
    // One for each core of the smallest machine: each of a browser's tests uses more than a process.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    coverage: { provider: 'v8', include: ['src/**/*.{ts,tsx}'], reporter: ['text-summary', 'html'] },
    projects: [
      { test: { name: 'unit', include: ['src/**/*.test.{ts,tsx}'] } },
      { test: { name: 'architecture', include: ['test/*.test.ts'] } },
      {
        test: {
          name: 'api',
          include: ['test/{api,concurrency,test-bank}/**/*.test.ts'],
          exclude: [serial],
          // The server's modules are loaded once a worker instead of once a file.
          isolate: false,
          globalSetup: 'test/support/global-setup.ts',
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'serial',
          include: [serial],
          globalSetup: 'test/support/global-setup.ts',
          testTimeout: 30_000,
          hookTimeout: 30_000,
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
          // The contract, the texts and Playwright are loaded once a worker instead of once a file.
          isolate: false,
          setupFiles: 'test/e2e/clean-up.ts',
          globalSetup: 'test/support/served-setup.ts',
          testTimeout: 240_000,
          // A server that starts on a busy machine takes its time.
          hookTimeout: 180_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})

/**
 * Puts the tests' databases and data folders in memory where the system has such a file system with enough room. Hundreds of
 * databases are made from the template, and writing their files to a disk takes most of the time of the tests of the API.
 */
function keepFilesInMemory(): void {
  const memory = '/dev/shm'
  // Vitest loads this file again in its own processes, which have the folder by then.
  if (process.env.TMPDIR?.startsWith(memory) || !existsSync(memory)) return
  // What a run that was killed has left takes up memory.
  for (const name of readdirSync(memory)) {
    const [, pid] = /^turnout-tests-(\d+)-/.exec(name) ?? []
    if (pid && !existsSync(`/proc/${pid}`)) rmSync(join(memory, name), { recursive: true, force: true })
  }
  const { bavail, bsize } = statfsSync(memory)
  if (Math.min(bavail * bsize, freemem()) < 4 * 1024 ** 3) return
  const folder = mkdtempSync(join(memory, `turnout-tests-${process.pid}-`))
  // As open to other users as the usual folder is: the embedded PostgreSQL has a user of its own when the tests run as root.
  chmodSync(folder, 0o1777)
  process.env.TMPDIR = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
}
