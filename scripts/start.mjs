import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { build } from './build.mjs'
import { checkNode, install, root } from './install.mjs'

checkNode()
install()
build()

const server = spawn(process.execPath, [join(root, 'dist/server/main.js'), ...process.argv.slice(2)], { stdio: 'inherit' })
// The terminal sends Ctrl-C to both of us; what is sent to this process alone is passed on.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => server.kill('SIGTERM'))
server.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
