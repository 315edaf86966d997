import { checkNode, install, run } from './install.mjs'

// Runs the benches named, which measure the built server as it is now: what they need is installed and built first.
checkNode()
install()
const { findBrowser } = await import('./browser.mjs')
const { build } = await import('./build.mjs')
const benches = process.argv.slice(2)
const inBrowser = ['door', 'pages']
if (benches.some((bench) => inBrowser.includes(bench))) process.env.CHROMIUM_PATH = findBrowser()
await build()
for (const bench of benches) run('node_modules/.bin/tsx', [`test/bench/${bench}.ts`])
