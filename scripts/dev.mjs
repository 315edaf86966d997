import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { checkNode, install, root } from './install.mjs'
import { generateTexts } from './texts.mjs'

checkNode()
install()
await generateTexts()

const bin = (name) => join(root, 'node_modules', '.bin', name)
const children = [
  spawn(bin('tsx'), ['watch', 'src/server/main.ts', '--demo'], { cwd: root, stdio: 'inherit' }),
  spawn(bin('vite'), [], { cwd: root, stdio: 'inherit' }),
]
for (const child of children)
  child.on('exit', () => {
    for (const each of children) each.kill()
  })
