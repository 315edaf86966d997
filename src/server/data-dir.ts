import { accessSync, chmodSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isReachable } from './db/embedded/binaries.ts'
import { type Settings, WrongSettings } from './settings.ts'

/** Where the data is kept when the server runs as root from a folder that is closed to others, such as `/root`. */
const SYSTEM_DIR = '/var/lib/turnout'

/**
 * The data directory from the settings, else `./data`. If the embedded PostgreSQL, which never runs as root, cannot reach that, it is
 * `/var/lib/turnout`, and `tell` is informed.
 */
export function chooseDataDir(
  { dataDir, databaseUrl }: Pick<Settings, 'dataDir' | 'databaseUrl'>,
  tell: (line: string) => void,
  systemDir = SYSTEM_DIR,
): string {
  if (dataDir !== null) return resolve(dataDir)
  const near = resolve('data')
  // Existing data is never abandoned for a new, empty folder.
  if (databaseUrl !== null || existsSync(join(near, 'postgres'))) return near
  const isSystemInUse = process.getuid?.() === 0 && existsSync(join(systemDir, 'postgres'))
  if (isSystemInUse) tell(`DATA_DIR: the data of an earlier start is in ${systemDir}.`)
  if (isSystemInUse) return systemDir
  if (isReachable(existsSync(near) ? near : dirname(near))) return near
  tell(
    `DATA_DIR: the embedded database cannot run below ${dirname(near)}, which is closed to other users, so the data is kept in ${systemDir}.`,
  )
  return systemDir
}

/** Makes the data directory when it is missing. Throws `WrongSettings` with the reason when it cannot be used. */
export function makeDataDir(dir: string): void {
  try {
    makeFolders(dir)
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new WrongSettings([`DATA_DIR ${dir} cannot be used: ${reason}`])
  }
}

/** Folder by folder: Node's own recursion never ends below `/proc`. */
function makeFolders(dir: string): void {
  const found = statSync(dir, { throwIfNoEntry: false })
  if (found?.isDirectory()) return
  if (found) throw new Error(`${dir} is not a folder.`)
  makeFolders(dirname(dir))
  try {
    mkdirSync(dir)
  } catch (error) {
    // Another process was first.
    if (!existsSync(dir)) throw error
    return
  }
  // The user that PostgreSQL runs as must be able to pass, whatever root's umask.
  if (process.getuid?.() === 0) chmodSync(dir, 0o711)
}
