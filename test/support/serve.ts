import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const here = join(import.meta.dirname, '../..')

export interface Served {
  url: string
  dataDir: string
  process: ChildProcess
  /** The server's output so far. */
  output: () => string
  stop: () => Promise<void>
}

interface Options {
  port: number
  env?: Record<string, string>
  args?: string[]
  /** An existing data folder to use again; otherwise a new one is made and removed at the end. */
  dataDir?: string
  /** The built checkout whose server it is, by default this one. */
  root?: string
}

/** The environment variable with the data folder that new ones are copied from, if there is one. */
export const TEMPLATE = 'TEST_DATA_DIR'

/** A folder that the embedded PostgreSQL's user may enter. */
export function makeDataDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'turnout-'))
  chmodSync(dir, 0o755)
  return dir
}

/** A new data folder for a server: a copy of the template with all owners and modes, or an empty one. */
function copyDataDir(): string {
  const dir = makeDataDir()
  const template = process.env[TEMPLATE]
  if (template !== undefined) execFileSync('cp', ['-a', `${template}/.`, dir])
  return dir
}

const running = new Set<Served>()

/** Stops the servers that a test file has left, because its own clean-up failed. */
export async function stopRemainingServers(): Promise<void> {
  await Promise.all([...running].map((served) => served.stop()))
}

/** Starts the built server as `npm start` does, and waits until it is ready. */
export async function serve({ port, env = {}, args = [], dataDir, root = here }: Options): Promise<Served> {
  const dir = dataDir ?? copyDataDir()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, [join(root, 'dist/server/main.js'), ...args], {
    env: { ...process.env, PORT: String(port), BASE_URL: url, DATA_DIR: dir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // A test that fails half-way must not leave a server behind that the next test takes for its own.
  const leave = () => void child.kill('SIGTERM')
  process.once('exit', leave)
  child.once('exit', () => process.off('exit', leave))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await until(
    async () => {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`The server ended: ${output}`)
      return (await fetch(`${url}/readyz`).catch(() => null))?.ok === true
    },
    180_000,
    'the server is ready',
  )
  const served: Served = {
    url,
    dataDir: dir,
    process: child,
    output: () => output,
    stop: async () => {
      running.delete(served)
      await ended(child, 'SIGTERM')
      if (dataDir === undefined) rmSync(dir, { recursive: true, force: true })
    },
  }
  running.add(served)
  return served
}

/** Sends the signal and waits until the process has gone. */
export async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  await gone
}

/** Checks every `everyMs` until the condition is true; on timeout the error says what it waited for. */
export async function until(
  isSo: () => Promise<boolean>,
  patienceMs: number,
  what: string,
  everyMs = 25,
): Promise<void> {
  const deadline = Date.now() + patienceMs
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`Waited ${patienceMs} ms in vain until ${what}.`)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}
