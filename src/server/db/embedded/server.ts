import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, constants, fstatSync, ftruncateSync, openSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Binaries, serverUser } from './binaries.ts'
import type { Place } from './directory.ts'

const LARGEST_LOG = 1_000_000
const HOUR = 60 * 60_000
/** How long before its deadline a stop becomes immediate, in ms: that ends the server's processes at once and needs a recovery later. */
const IMMEDIATE_MS = 700

export interface PostgresServer {
  /** Starts the server; to be called only while the one that we started before is not running. */
  start: () => void
  /** Whether the server that we started runs. */
  isRunning: () => boolean
  /** Why the server that we started last has ended; null when it runs or none was started. */
  failure: () => Failure | null
  /** Shuts the server down in order, whoever started it, and at once when that takes too long. */
  stop: (patienceMs: number) => Promise<void>
  /** The same for a server that we started, leaving any other alone. */
  stopOwn: (patienceMs: number) => Promise<void>
}

interface Failure {
  text: string
  /** Whether another server, perhaps one that is just ending, kept it out of the folder. */
  isKeptOut: boolean
}

interface Options {
  place: Place
  binaries: Binaries
  fsync: boolean
  /** Settings besides the usual ones. */
  settings?: Readonly<Record<string, string>>
  log: (line: string) => void
}

/** The PostgreSQL server of a folder: started by us, or left there by an earlier process of ours. */
export function postgresServer({ place, binaries, fsync, settings = {}, log }: Options): PostgresServer {
  let child: ChildProcess | null = null
  let failure: Failure | null = null
  // It keeps the file open for appending, so that cutting it is safe at any time.
  setInterval(() => cutLog(place.log), HOUR).unref()

  const stopOwn = async (patienceMs: number) => {
    const own = child
    if (own?.pid) await end({ pid: own.pid, isGone: () => child !== own, patienceMs, log })
  }
  return {
    start: () => {
      failure = null
      const serverLog = openLog(place.log)
      const logStart = fstatSync(serverLog).size
      // Detached, so that Ctrl-C in the terminal reaches us alone and we stop the server in order.
      const started = spawn(binaries.postgres, serverOptions(place, fsync, settings), {
        ...serverUser,
        cwd: place.serverDir,
        detached: true,
        stdio: ['ignore', serverLog, serverLog],
      })
      child = started
      closeSync(serverLog)
      const ended = (reason: string) => {
        child = null
        failure = failureOf(place, logStart, reason)
        log(`embedded PostgreSQL ended (${reason})`)
      }
      started.once('error', (error) => ended(error.message))
      started.once('exit', (code, signal) => ended(signal ?? `code ${code}`))
      started.unref()
    },
    isRunning: () => child !== null,
    failure: () => failure,
    stopOwn,
    stop: async (patienceMs) => {
      if (child) return stopOwn(patienceMs)
      const pid = notedPid(place)
      if (processOf(place, pid) === 'server')
        await end({ pid, isGone: () => processOf(place, pid) !== 'server', patienceMs, log })
    },
  }
}

function serverOptions({ data, socketDir }: Place, fsync: boolean, more: Readonly<Record<string, string>>): string[] {
  const set = (name: string, value: string) => ['-c', `${name}=${value}`]
  return [
    ...['-D', data, '-k', socketDir],
    ...set('listen_addresses', ''),
    ...set('max_connections', '100'),
    ...set('shared_buffers', '128MB'),
    ...set('jit', 'off'),
    ...set('fsync', fsync ? 'on' : 'off'),
    // A refused row's values, which can be personal data, stay out of the server's own log.
    ...set('log_error_verbosity', 'terse'),
    ...set('log_min_error_statement', 'panic'),
    ...Object.entries(more).flatMap(([name, value]) => set(name, value)),
  ]
}

/** Appended to, since a server that we are about to take over may be writing there; cut when it has grown large. */
function openLog(path: string): number {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants
  const log = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600)
  if (fstatSync(log).size > LARGEST_LOG) ftruncateSync(log)
  return log
}

/** Cuts the log when it has grown large; one that is not there needs no cut. */
export function cutLog(path: string): void {
  try {
    closeSync(openLog(path))
  } catch {
    // The folder may be gone.
  }
}

/** Why the server ended, from its log after this position: the first fatal line, or else the last ones. */
function failureOf(place: Place, logStart: number, reason: string): Failure {
  const lines = readFrom(place.log, logStart)
  const text = fatalIn(lines) ?? (lines.slice(-3).join(' ') || `It ended with ${reason}.`)
  const isLocked = /lock file ".*" already exists|is still in use/.test(text)
  const pid = notedPid(place)
  if (isLocked && processOf(place, pid) === 'stranger')
    return {
      text: `${text} Process ${pid}, which postmaster.pid in ${place.data} names, is no PostgreSQL of this folder. If no other machine or container uses the folder, delete that file.`,
      isKeptOut: false,
    }
  return { text, isKeptOut: isLocked }
}

/**
 * The first line that says why a server ended. A connection that came too early, or whose server was killed before this one began, logs a
 * FATAL of its own, which says nothing about this server's end.
 */
export function fatalIn(lines: readonly string[]): string | undefined {
  const isOfConnection = (line: string) =>
    /FATAL:\s+(the database system is|terminating |postmaster exited |connection to client lost)/.test(line)
  return lines.find((line) => /\b(FATAL|PANIC):/.test(line) && !isOfConnection(line))
}

function readFrom(path: string, start: number): string[] {
  try {
    return readFileSync(path).subarray(start).toString().trim().split('\n').filter(Boolean)
  } catch {
    return []
  }
}

/** The process that says it serves this folder; 0 when none does. */
function notedPid({ data }: Place): number {
  try {
    const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
    return pid > 1 ? pid : 0
  } catch {
    return 0
  }
}

/**
 * How the process relates to this folder. The pid comes from a file that the server's user may write, so only a process of that user at
 * work in this very folder is ever signalled.
 */
function processOf({ data, realData }: Place, pid: number): 'server' | 'stranger' | 'none' {
  try {
    const [, state] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
    if (state === undefined || /^[ZX]/.test(state)) return 'none'
    const isOfServerUser = statSync(`/proc/${pid}`).uid === (serverUser?.uid ?? process.getuid?.())
    return isOfServerUser && [data, realData()].includes(readlinkSync(`/proc/${pid}/cwd`)) ? 'server' : 'stranger'
  } catch (error) {
    const isDenied = error instanceof Error && 'code' in error && error.code === 'EACCES'
    return isDenied ? 'stranger' : 'none'
  }
}

interface Ending {
  pid: number
  isGone: () => boolean
  patienceMs: number
  log: (line: string) => void
}

/** Ends a server in order ("fast"), at once ("immediate") shortly before the patience ends, and waits for it. */
async function end({ pid, isGone, patienceMs, log }: Ending): Promise<void> {
  const deadline = Date.now() + patienceMs
  signal(pid, 'SIGINT')
  for (let isImmediate = false; !isGone(); await wait(20)) {
    if (!isImmediate && Date.now() > deadline - IMMEDIATE_MS) {
      isImmediate = true
      log(`embedded PostgreSQL (process ${pid}) takes long to stop; ending it at once`)
      signal(pid, 'SIGQUIT')
    }
    if (Date.now() > deadline) return log(`embedded PostgreSQL (process ${pid}) is still stopping`)
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has just ended.
  }
}
