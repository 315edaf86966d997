import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Not import.meta.dirname: a Node that is too old for it must still reach the message below.
export const root = fileURLToPath(new URL('..', import.meta.url))
const stamp = join(root, 'node_modules', '.installed')

/** Ends with a clear sentence on a Node that is too old. */
export function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  // The same versions as the packages require; the odd major versions in between are no longer maintained.
  if ((major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major >= 24) return
  console.error(`Turnout needs Node.js 20.19, 22.12, or 24 and newer; this is ${process.versions.node}.`)
  process.exit(1)
}

/** Runs a command with its output shown; ends with its exit code when it fails. */
export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options })
  if (error) console.error(error.message)
  if (status !== 0) process.exit(status ?? 1)
}

/** Installs exactly what the lock file names, unless that was done already. */
export function install() {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return
  console.log('Installing the packages …')
  // Development packages build the web app, whatever NODE_ENV says.
  run('npm', ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'])
  writeFileSync(stamp, lock)
}
