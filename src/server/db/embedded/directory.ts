import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Binaries, isReachable, serverUser } from './binaries.ts'

/** The paths of the embedded server. */
export interface Place {
  dataDir: string
  /** Owned by the server's user and closed to everyone else. */
  serverDir: string
  data: string
  /** `data` with all links resolved. */
  realData: () => string
  socketDir: string
  passwordFile: string
  /** The server's log. In the data directory, where the server's user cannot replace it with a link. */
  log: string
}

/** The database's own user. */
export const USER = 'turnout'
// A socket's address has room for 107 bytes, of which its file name takes 15.
const LONGEST_SOCKET_DIR = 90

/** Makes the folders of the embedded server where they are missing. */
export function makePlace(dataDir: string): Place {
  mkdirSync(dataDir, { recursive: true })
  if (!isReachable(dataDir))
    throw new Error(
      `PostgreSQL does not run as root, and the user it runs as (nobody) cannot reach ${dataDir}: run Turnout as an ordinary user, or set DATA_DIR to a folder such as /var/lib/turnout.`,
    )
  const data = join(dataDir, 'postgres', 'data')
  handOver(join(dataDir, 'postgres'), data)
  const place = placeIn(dataDir)
  ownDir(place.serverDir)
  ownDir(place.socketDir)
  return place
}

/** The paths of the embedded server of a data directory, whether they are there or not. */
export function placeIn(dataDir: string): Place {
  const serverDir = join(dataDir, 'postgres')
  const data = join(serverDir, 'data')
  const near = join(serverDir, 'socket')
  const hash = createHash('sha256').update(serverDir).digest('hex').slice(0, 16)
  return {
    dataDir,
    serverDir,
    data,
    realData: () => realpathSync(data),
    socketDir: Buffer.byteLength(near) <= LONGEST_SOCKET_DIR ? near : join(tmpdir(), `turnout-${hash}`),
    passwordFile: join(dataDir, 'postgres-password'),
    log: join(dataDir, 'postgres.log'),
  }
}

/**
 * Gives root's files to the server's user, mostly those of a restored backup. Meanwhile the folder around them belongs to root and is
 * closed; it is given last, so that nobody can put a link in its place.
 */
function handOver(serverDir: string, data: string): void {
  if (!serverUser) return
  const [outer, inner] = [serverDir, data].map((dir) => lstatSync(dir, { throwIfNoEntry: false }))
  // Without data this is a first start, perhaps of two processes at once, and there is nothing to give.
  if (!outer?.isDirectory() || !inner?.isDirectory() || (outer.uid !== 0 && inner.uid !== 0)) return
  lchownSync(serverDir, 0, 0)
  chmodSync(serverDir, 0o700)
  for (const name of readdirSync(serverDir, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(serverDir, name), serverUser.uid, serverUser.gid)
  chmodSync(data, 0o700)
  lchownSync(serverDir, serverUser.uid, serverUser.gid)
}

/** A folder of the server's user that nobody else may enter. One that somebody else made in our place is refused. */
function ownDir(dir: string): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const us = process.getuid?.() ?? 0
  // Also for a folder that an earlier start made but did not hand over.
  if (serverUser && lstatSync(dir).uid === us) lchownSync(dir, serverUser.uid, serverUser.gid)
  const found = lstatSync(dir)
  if (!found.isDirectory() || found.uid !== (serverUser?.uid ?? us) || (found.mode & 0o077) !== 0)
    throw new Error(`The folder ${dir} must belong to the user that PostgreSQL runs as, and to that user alone.`)
}

/** The password of this installation's database, made at the first start; of two that start at once, one makes it. */
export function readPassword({ passwordFile }: Place): string {
  if (!existsSync(passwordFile)) {
    const part = `${passwordFile}.${process.pid}`
    writeFileSync(part, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true })
    try {
      // Unlike a rename, a link never replaces the one that another process made just now.
      linkSync(part, passwordFile)
    } catch (fault) {
      if (!existsSync(passwordFile)) throw fault
    }
    rmSync(part)
  }
  return readFileSync(passwordFile, 'utf8').trim()
}

/**
 * Creates the database of a first start. A database that was there before and is gone, as when its volume is not mounted, is not replaced by
 * an empty one.
 */
export function initialiseOnce(place: Place, binaries: Binaries, password: string): void {
  const mark = join(place.dataDir, 'postgres-made')
  // Looked at first: another process that starts now renames its data before it leaves the mark.
  const wasMade = existsSync(mark)
  if (!existsSync(join(place.data, 'PG_VERSION'))) {
    if (wasMade)
      throw new Error(
        `The database in ${place.data} is gone, although there was one. If it is on a volume, mount that. To restore a backup, use a new DATA_DIR. To begin with an empty database, delete ${mark}.`,
      )
    initialise(place, binaries, password)
  }
  if (!wasMade) writeFileSync(mark, '')
}

/** Makes the data folder under a temporary name and renames it when it is complete, so that a crash leaves no partial one. */
export function initialise({ dataDir, serverDir, data }: Place, { initdb }: Binaries, password: string): void {
  const half = join(serverDir, `data.new.${process.pid}`)
  // Not in the server's own folder, where its user could put a link in its place.
  const passwordFile = join(dataDir, `initdb-password.${process.pid}`)
  rmSync(half, { recursive: true, force: true })
  rmSync(passwordFile, { force: true })
  writeFileSync(passwordFile, password, { mode: 0o600, flag: 'wx' })
  if (serverUser) lchownSync(passwordFile, serverUser.uid, serverUser.gid)
  const options = [
    '-D',
    half,
    '-U',
    USER,
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    '--encoding=UTF8',
    '--locale=C.UTF-8',
  ]
  const { status, stderr, error } = spawnSync(initdb, options, { ...serverUser, cwd: serverDir, encoding: 'utf8' })
  rmSync(passwordFile, { force: true })
  try {
    if (status !== 0) throw new Error(initdbFault(error?.message ?? stderr.trim()))
    renameSync(half, data)
  } catch (fault) {
    // Another process that started at the same moment was first; the one lock of the running server decides who stays.
    if (!existsSync(join(data, 'PG_VERSION'))) throw fault
    remove(half)
  }
}

function initdbFault(said: string): string {
  if (said.includes('could not look up effective user ID'))
    return `PostgreSQL needs a user with a name, and this one (number ${serverUser?.uid ?? process.getuid?.()}) has none in /etc/passwd: add it there, run Turnout as another user, or set DATABASE_URL.`
  return `The embedded database could not be made: ${said}`
}

/** Removes what a killed start left behind. To be called only by the holder of the directory. */
export function removeLeftovers({ dataDir, serverDir }: Place): void {
  for (const name of readdirSync(dataDir))
    if (/^(postgres-programs\.new|initdb-password)\./.test(name)) remove(join(dataDir, name))
  for (const name of readdirSync(serverDir))
    if (/^(data\.new|programs\.new|password)\./.test(name)) remove(join(serverDir, name))
}

/** Files that an ending process still writes to stay until the next start. */
function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {}
}

/** The major version of PostgreSQL whose data is here; null when there is none. */
export function madeBy({ data }: Pick<Place, 'data'>): number | null {
  const path = join(data, 'PG_VERSION')
  return existsSync(path) ? Number.parseInt(readFileSync(path, 'utf8'), 10) : null
}
