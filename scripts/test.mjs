import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { checkNode, install, root, run } from './install.mjs'

checkNode()
install()
const { findBrowser } = await import('./browser.mjs')
const { build } = await import('./build.mjs')
process.env.CHROMIUM_PATH = findBrowser()
build()

console.log('Checking types and lint …')
run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-b'])
run(join(root, 'node_modules/.bin/biome'), ['check', '--error-on-warnings', '.'])

// CI asks for it: what we promise for the oldest Node must hold on a newer one too.
const newer = process.env.ALSO_ON_NODE
if (newer) {
  console.log(`Unit and server tests on Node ${newer} …`)
  const packageName = `node-linux-${process.arch}@${newer}`
  const vitest = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project',
    'unit',
    '--project',
    'api',
    '--project',
    'alone',
    '--reporter=dot',
  ]
  run('npm', ['exec', '--yes', '--loglevel=error', `--package=${packageName}`, '--', 'node', ...vitest])
}

/** The count when the runner itself did not come to an end. */
const broken = { passed: 0, failed: 1, skipped: 0 }
const report = join(root, 'node_modules', '.cache', 'vitest-report.json')
rmSync(report, { force: true })
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
  { cwd: root, stdio: 'inherit' },
)
const { passed, failed, skipped } = existsSync(report) ? counted(JSON.parse(readFileSync(report, 'utf8'))) : broken
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
process.exit(failed > 0 ? 1 : (status ?? 1))

/** A file that could not even be loaded holds no test that failed, and counts as one. */
function counted({ numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults }) {
  const unloaded = testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length
  return { passed: numPassedTests, failed: numFailedTests + unloaded, skipped: numPendingTests + numTodoTests }
}
