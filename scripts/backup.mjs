import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from './build.mjs'
import { checkNode, install, root } from './install.mjs'

// `node scripts/backup.mjs backup FILE`, the same with restore, and `reset-factor ADDRESS`.
const [command, ...files] = process.argv.slice(2)
checkNode()
const program = join(root, 'dist/server', `${command}.js`)
// A server may be running from dist/: for a backup it stays as it is. What is restored may come from a newer version, so that is brought up to date.
if (command === 'restore' || !existsSync(program)) {
  install()
  await build()
}
// npm changes to the folder of the project; the file is meant as seen from where the command was typed.
const paths = files.map((file) =>
  file.startsWith('-') || command === 'reset-factor' ? file : resolve(process.env.INIT_CWD ?? '.', file),
)
const child = spawn(process.execPath, [program, ...paths], { stdio: 'inherit' })
// A terminal sends Ctrl-C to both processes.
process.on('SIGINT', () => {
  if (!process.stdin.isTTY) child.kill('SIGINT')
})
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
