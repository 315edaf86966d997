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

const report = join(root, 'node_modules', '.cache', 'vitest-report.json')
rmSync(report, { force: true })
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
  { cwd: root, stdio: 'inherit' },
)
if (existsSync(report)) {
  const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, 'utf8'))
  console.log(`${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`)
}
process.exit(status ?? 1)
