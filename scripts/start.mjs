import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { build } from './build.mjs'
import { checkNode, install, root } from './install.mjs'

checkNode()
install()
build()

const server = spawn(process.execPath, [join(root, 'dist/server/main.js'), ...process.argv.slice(2)], {
  stdio: 'inherit',
})
// A terminal sends Ctrl-C to both of us; what is sent to this process alone is passed on. Only once, though npm sends its
// own signal on top: at a second one the server would end without finishing.
process.on('SIGINT', () => {
  if (!process.stdin.isTTY) stop('SIGINT')
})
process.on('SIGTERM', () => stop('SIGTERM'))
let isStopping = false
function stop(signal) {
  if (!isStopping) server.kill(signal)
  isStopping = true
}
server.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
