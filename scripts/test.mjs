import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { checkNode, install, root } from './install.mjs'

checkNode()
install()
const { findBrowser } = await import('./browser.mjs')
const { build } = await import('./build.mjs')
process.env.CHROMIUM_PATH = findBrowser()
const times = []
await timed('build', build)

console.log('Checking types, lint and unused code …')
await timed('checks', async () => {
  const codes = await Promise.all([
    check(process.execPath, [join(root, 'node_modules/typescript-native/bin/tsc'), '-b']),
    check(join(root, 'node_modules/.bin/biome'), ['check', '--error-on-warnings', '.']),
    check(join(root, 'node_modules/.bin/knip'), []),
    check(join(root, 'node_modules/.bin/tsx'), [join(root, 'scripts/lint-api.mjs')]),
  ])
  const failed = codes.find((code) => code !== 0)
  if (failed !== undefined) process.exit(failed)
})

// Tests of the source spend a third of their time waiting for the database, so one more runs at once than the smallest machine has cores.
const source = { projects: ['unit', 'architecture', 'api', 'serial'], maxWorkers: 3 }
const journeys = { projects: ['e2e'], maxWorkers: 2 }
// Mostly they wait for a killed server to restart, so they run beside the journeys. Their output is printed afterwards.
const faults = { projects: ['faults'], maxWorkers: 1, isQuiet: true }
// CI asks for a newer Node: the source is tested on that one, the built server and its pages on this one.
const newer = process.env.ALSO_ON_NODE
const runs = [
  await timed('tests of the source', () => test(source, newer)),
  ...(await timed('tests of the built product', () => Promise.all([test(journeys), test(faults)]))),
]
const total = (count) => runs.reduce((sum, run) => sum + run[count], 0)
// Repeated at the end, because the output above is long.
for (const failure of runs.flatMap(({ failures }) => failures)) console.log(failure)
console.log(times.map(([part, seconds]) => `${part} ${seconds} s`).join(', '))
console.log(`${total('passed')} passed, ${total('failed')} failed, ${total('skipped')} skipped`)
process.exit(runs.every(({ status, failed }) => status === 0 && failed === 0) ? 0 : 1)

/** Does a part of the work and notes how long it took. */
async function timed(part, work) {
  const began = performance.now()
  const result = await work()
  times.push([part, Math.round((performance.now() - began) / 1000)])
  return result
}

/** Runs a check alongside others; returns its exit code. */
async function check(command, args) {
  const [code] = await once(spawn(command, args, { cwd: root, stdio: 'inherit' }), 'exit')
  return code ?? 1
}

/** Runs these projects of the tests, on another version of Node when one is named, and counts the results. */
async function test({ projects, maxWorkers, isQuiet = false }, node) {
  const report = join(root, 'node_modules', '.cache', `vitest-report-${projects[0]}.json`)
  rmSync(report, { force: true })
  const vitest = [
    'node_modules/vitest/vitest.mjs',
    'run',
    `--maxWorkers=${maxWorkers}`,
    ...projects.flatMap((project) => ['--project', project]),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]
  const other = ['exec', '--yes', '--loglevel=error', `--package=node-linux-${process.arch}@${node}`, '--', 'node']
  if (node) console.log(`Tests on Node ${node} …`)
  const [command, ...args] = node ? ['npm', ...other, ...vitest] : [process.execPath, ...vitest]
  const child = spawn(command, args, { cwd: root, stdio: ['inherit', isQuiet ? 'pipe' : 'inherit', 'inherit'] })
  const printed = []
  child.stdout?.on('data', (chunk) => printed.push(chunk))
  const [status] = await once(child, 'close')
  process.stdout.write(Buffer.concat(printed))
  // Without a report the runner itself did not finish.
  if (!existsSync(report))
    return { status, passed: 0, failed: 1, skipped: 0, failures: [`${projects.join(', ')}: no report was written`] }
  return { status, ...counted(JSON.parse(readFileSync(report, 'utf8'))) }
}

/** A file that could not be loaded, or whose preparation failed, has no failed tests of its own, so it counts as one. */
function counted({ numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults }) {
  const unprepared = testResults.filter(failedWithoutTest).length
  return {
    passed: numPassedTests,
    failed: numFailedTests + unprepared,
    skipped: numPendingTests + numTodoTests,
    failures: testResults.flatMap(failuresOf),
  }
}

function failedWithoutTest({ status, assertionResults }) {
  return status === 'failed' && !assertionResults.some((test) => test.status === 'failed')
}

/** Each failed test of a file: its file, its name, the first lines of its error, and what its pages showed. */
function failuresOf(result) {
  const file = relative(root, result.name)
  if (failedWithoutTest(result)) return [`× ${file}\n${firstLines(result.message ?? '')}`]
  return result.assertionResults
    .filter((test) => test.status === 'failed')
    .map(({ fullName, failureMessages, meta }) =>
      [`× ${file}: ${fullName}`, firstLines(failureMessages[0] ?? ''), ...(meta.shown ?? []).map(shorten)].join('\n'),
    )
}

/** A page's text, indented: its start, and its end, where notifications and dialogs are. */
function shorten(shown) {
  const text = shown.replace(/\n+/g, '\n    ')
  return text.length <= 1_600 ? text : `${text.slice(0, 800)}\n    …\n${text.slice(-800)}`
}

function firstLines(text) {
  return text.split('\n').slice(0, 4).join('\n').slice(0, 600)
}
