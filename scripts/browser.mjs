import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'

// Headless Chromium first, which uses a third less CPU; then regular Chromium.
const SHELL = '/usr/lib/chromium/chromium-headless-shell'
const places = [
  SHELL,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
]

/** The path of a Chromium to test with: that of CHROMIUM_PATH, the system's, Debian's package, or playwright's download. */
export function findBrowser() {
  const named = process.env.CHROMIUM_PATH
  if (named) return told(named, 'from CHROMIUM_PATH')
  const system = places.find((path) => existsSync(path))
  if (system) return told(system, 'the system’s')
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const quiet = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
    spawnSync('apt-get', ['update'], quiet)
    for (const name of ['chromium-headless-shell', 'chromium'])
      if (!existsSync(SHELL)) spawnSync('apt-get', ['install', '-y', '--no-install-recommends', name], quiet)
    const installed = places.find((path) => existsSync(path))
    if (installed) return told(installed, 'installed from Debian’s package')
  }
  spawnSync('npx', ['playwright-core', 'install', 'chromium'], { stdio: 'inherit' })
  return told(chromium.executablePath(), 'downloaded by playwright')
}

function told(path, how) {
  if (!existsSync(path)) {
    console.error(`No Chromium for the browser tests at ${path}: install one, or set CHROMIUM_PATH.`)
    process.exit(1)
  }
  console.log(`Browser for the tests: ${path} (${how}).`)
  return path
}
