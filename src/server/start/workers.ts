import cluster, { type Worker } from 'node:cluster'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Message, readMessage, type StartMessage, WORKER } from '../processes/messages.ts'
import { WrongSettings } from '../settings.ts'
import { LEAST_DATABASE_MS, type OpenedParts, within } from './opened-parts.ts'
import { sumMetrics } from './sum-metrics.ts'

/** A process that ended is replaced after this time, in ms; one that cannot start is tried again after twice as long each time, up to a limit. */
const REPLACE_MS = 1_000
const MOST_REPLACE_MS = 30_000
/** When nothing has served for so long, in ms, all ends: a supervisor starts it anew. */
const UNSERVED_MS = 60_000

interface Options {
  count: number
  address: StartMessage['address']
  dataDir: string
  log: Logger
  opened: OpenedParts
}

/** A server process, and what is known of it. */
interface Server {
  worker: Worker
  serves: boolean
  /** Resolves when it has ended, with how. Never rejects. */
  ended: Promise<{ process: number | undefined; code: number; signal: string }>
}

/**
 * Starts so many server processes behind one port and replaces those that end. The first does what one process does for all; the others
 * start once it serves. Resolves when all of them serve; rejects when one ends before it has ever served.
 */
export async function startWorkers({ count, address, dataDir, log, opened }: Options): Promise<void> {
  // They accept connections themselves: one that waits while its process is killed is accepted by another.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const alive = new Set<Server>()
  /** When the last one that served ended. */
  let servedAt = performance.now()
  opened.add((stopBy) => stopAll(alive, stopBy))

  /** Starts one; resolves with null once it serves, or else with how it ended. */
  async function run(start: StartMessage): Promise<Awaited<Server['ended']> | null> {
    const server = fork(log)
    alive.add(server)
    const { worker } = server
    const serving = new Promise<null>((resolve) => {
      worker.on('message', (received: unknown) => {
        const message = readMessage(received)
        if (message?.type === 'begun') send(worker, start)
        if (message?.type === 'metrics')
          void sumMetrics(servingOf(alive)).then((text) => send(worker, { type: 'metrics of all', text }))
        if (message?.type !== 'serving') return
        server.serves = true
        resolve(null)
      })
    })
    void server.ended.then((how) => {
      alive.delete(server)
      if (!server.serves) return
      if (servingOf(alive).length === 0) servedAt = performance.now()
      if (opened.isClosing()) return
      log.warn(how, 'a server process ended, and is replaced')
      void replace({ ...start, isAgain: true })
    })
    return Promise.race([serving, server.ended])
  }

  async function replace(start: StartMessage): Promise<void> {
    for (let pause = REPLACE_MS; !opened.isClosing(); pause = Math.min(2 * pause, MOST_REPLACE_MS)) {
      await wait(pause)
      if (opened.isClosing()) return
      const how = await run(start)
      if (how === null) return log.warn('the new server process serves')
      log.error(how, 'a server process could not start, and is tried again')
      if (servingOf(alive).length === 0 && performance.now() - servedAt > UNSERVED_MS) return giveUp(opened)
    }
  }

  const start = { type: 'start', address, dataDir, isAgain: false } as const
  const first = [await run({ ...start, isFirst: true })]
  const others = first[0] === null ? Array.from({ length: count - 1 }, () => run({ ...start, isFirst: false })) : []
  for (const how of [...first, ...(await Promise.all(others))]) if (how !== null) throw notStarted(how)
}

function fork(log: Logger): Server {
  const worker = cluster.fork({ [WORKER]: '1' })
  // A process may end while a message to it is on its way; without a listener that would end this one.
  worker.on('error', (error) => log.warn({ message: error.message }, 'a message to a server process was lost'))
  const ended = new Promise<Awaited<Server['ended']>>((resolve) => {
    worker.once('exit', (code: number, signal: string) => resolve({ process: worker.process.pid, code, signal }))
  })
  return { worker, serves: false, ended }
}

const servingOf = (alive: ReadonlySet<Server>) => [...alive].flatMap(({ worker, serves }) => (serves ? [worker] : []))

function send(worker: Worker, message: Message): void {
  if (worker.isConnected()) worker.send(message)
}

/** The error of a start that failed. A process that ended with 1 has said why itself. */
function notStarted({ code, signal }: Awaited<Server['ended']>): Error {
  return code === 1 ? new WrongSettings([]) : new Error(`a server process ended (${signal ?? `code ${code}`}).`)
}

async function giveUp(opened: OpenedParts): Promise<void> {
  if (opened.isClosing()) return
  process.stderr.write('Turnout stops: no server process could be started for a minute.\n')
  await opened.close()
  process.exit(1)
}

/** Lets all finish what they are doing, and ends those that take too long. */
async function stopAll(alive: ReadonlySet<Server>, stopBy: number): Promise<void> {
  const all = [...alive]
  for (const { worker } of all) worker.process.kill('SIGTERM')
  await within(Math.max(0, stopBy - LEAST_DATABASE_MS - Date.now()), Promise.all(all.map(({ ended }) => ended)))
  for (const { worker } of alive) worker.process.kill('SIGKILL')
}
