import { execFile } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { mutants } from './mutants/all.ts'
import type { Mutant } from './mutants/mutant.ts'

// Proves the tests: takes one guard at a time out of a copy of the code and expects the tests named to fail.
// `npm run mutants [part of a name]`; it ends with 1 when a mutant survives, which means that a test is missing.

const root = join(import.meta.dirname, '../..')
const only = process.argv[2] ?? ''
const chosen = mutants.filter(({ name }) => name.includes(only))
const survivors: string[] = []

const queue = [...chosen]
await Promise.all(Array.from({ length: availableParallelism() }, work))
process.stdout.write(`\n${chosen.length - survivors.length} of ${chosen.length} mutants killed\n`)
process.exit(survivors.length === 0 ? 0 : 1)

async function work(): Promise<void> {
  for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
    const end = await endOf(mutant)
    process.stdout.write(`${end.padEnd(8)}  without ${mutant.name}\n`)
    if (end !== 'killed') survivors.push(mutant.name)
  }
}

/** The result for a copy of the code without the guard: whether its tests fail; BROKEN if they did not even run. */
async function endOf({ file, find, replace, tests }: Mutant): Promise<'killed' | 'SURVIVED' | 'BROKEN'> {
  const copy = mkdtempSync(join(tmpdir(), 'turnout-mutant-'))
  try {
    chmodSync(copy, 0o755)
    for (const part of [
      'src',
      'test',
      'scripts',
      'public',
      'package.json',
      'vitest.config.ts',
      'tsconfig.base.json',
      'tsconfig.json',
    ])
      cpSync(join(root, part), join(copy, part), { recursive: true })
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
    const path = join(copy, file)
    const code = readFileSync(path, 'utf8')
    writeFileSync(
      path,
      code.replace(find, () => replace),
    )
    const { hasPassed, output } = await runTests(copy, tests)
    // A mutant that does not even start proves nothing.
    if (!/Tests .*\d+ (failed|passed)/.test(output)) {
      process.stdout.write(`${output.slice(-3000)}\n`)
      return 'BROKEN'
    }
    return hasPassed ? 'SURVIVED' : 'killed'
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

function runTests(cwd: string, tests: string[]): Promise<{ hasPassed: boolean; output: string }> {
  const projects = [...new Set(tests.flatMap(projectsOf))].flatMap((project) => ['--project', project])
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const args = [vitest, 'run', '--bail=1', '--maxWorkers=1', ...projects, ...tests]
  const options = { cwd, maxBuffer: 64 * 1024 * 1024, env: { ...process.env, NO_COLOR: '1' } }
  return new Promise((resolve) => {
    execFile(process.execPath, args, options, (error, stdout, stderr) =>
      resolve({ hasPassed: error === null, output: stdout + stderr }),
    )
  })
}

function projectsOf(test: string): string[] {
  if (test.startsWith('src/')) return ['unit']
  return test.startsWith('test/faults/') ? ['faults'] : ['api', 'serial']
}
