import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, fsyncSync, lstatSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serverUser } from '../binaries.ts'
import type { Place } from '../directory.ts'

/** The folder beside the data in which the new database is made. */
export function newData({ serverDir }: Place): string {
  return join(serverDir, 'data.upgrade')
}

/** Its name once it is complete; it takes the place of the data as soon as that is put aside. */
function completeData({ serverDir }: Place): string {
  return join(serverDir, 'data.upgraded')
}

/** Removes what an upgrade that did not come to its end has made. */
export function removeNew(place: Place): void {
  for (const data of [newData(place), completeData(place)]) rmSync(data, { recursive: true, force: true })
}

/** Where the data of this major version is kept. */
export function keptData({ serverDir }: Place, major: number): string {
  return join(serverDir, `data-${major}-kept`)
}

/**
 * Puts the new database in the place of the old one, which is kept under another name. Both servers must have been stopped. What a kill leaves
 * half-way is finished by `finishSwap` when the old one has been put aside, and worthless before.
 */
export async function swap(place: Place, from: number): Promise<void> {
  const guard = await lockOut(place)
  try {
    renameSync(newData(place), completeData(place))
    renameSync(place.data, keptData(place, from))
    sync(place.serverDir)
    finishSwap(place)
    rmSync(join(keptData(place, from), 'postmaster.pid'), { force: true })
  } finally {
    guard.kill('SIGKILL')
  }
}

/** Whether a killed start has put the old database aside and not yet the new one in its place. */
export function isHalfSwapped(place: Place): boolean {
  return !lstatSync(place.data, { throwIfNoEntry: false }) && existsSync(completeData(place))
}

/** Gives the new database its place when a killed start has only put the old one aside. */
export function finishSwap(place: Place): void {
  if (!isHalfSwapped(place)) return
  try {
    renameSync(completeData(place), place.data)
  } catch (fault) {
    // Another process that started at the same moment has done it.
    if (!existsSync(place.data)) throw fault
  }
  sync(place.serverDir)
}

/**
 * Keeps every PostgreSQL out of the old data, by the file in which its server would write its own number: the number is that of a process of the server's
 * user that ends when we end. Otherwise a Turnout that starts at this moment could work on with data that is put aside.
 */
async function lockOut({ data }: Place): Promise<ChildProcess> {
  const guard = spawn('cat', [], { ...serverUser, cwd: data, stdio: ['pipe', 'ignore', 'ignore'] })
  try {
    await once(guard, 'spawn')
    writeFileSync(join(data, 'postmaster.pid'), `${guard.pid}\n${data}\n`, { flag: 'wx', mode: 0o644 })
    return guard
  } catch (fault) {
    guard.kill('SIGKILL')
    if (!existsSync(join(data, 'postmaster.pid'))) throw fault
    throw new Error('another process has just started the old database')
  }
}

function sync(dir: string): void {
  const opened = openSync(dir, 'r')
  fsyncSync(opened)
  closeSync(opened)
}
