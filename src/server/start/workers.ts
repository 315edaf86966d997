import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { AggregatorRegistry } from 'prom-client'
import { readMessage, type StartMessage } from '../processes/messages.ts'
import { LEAST_DATABASE_MS, type OpenedParts, within } from './opened-parts.ts'

/** A process that ended is replaced after this time, in ms, so that one that cannot live does not take all of the machine. */
const REPLACE_MS = 1_000

interface Options {
  count: number
  address: StartMessage['address']
  dataDir: string
  log: Logger
  opened: OpenedParts
}

/**
 * Starts so many server processes behind one port and replaces those that end. The first does what one process does for all; the others
 * start once it serves. Resolves when all of them serve; rejects when one ends before it has ever served.
 */
export async function startWorkers({ count, address, dataDir, log, opened }: Options): Promise<void> {
  // They accept connections themselves: one that waits while its process is killed is accepted by another.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const alive = new Set<Worker>()
  const metrics = new AggregatorRegistry()
  opened.add((stopBy) => stopAll(alive, stopBy))

  async function run(start: StartMessage): Promise<void> {
    const worker = cluster.fork()
    alive.add(worker)
    const ended = once(worker, 'exit').then(() => alive.delete(worker))
    worker.on('message', (received: unknown) => {
      const message = readMessage(received)
      if (message?.type === 'begun') worker.send(start)
      if (message?.type === 'metrics')
        void metrics
          .clusterMetrics()
          .catch(() => '')
          .then((text) => worker.isConnected() && worker.send({ type: 'metrics answer', text }))
    })
    const serves = await Promise.race([isServing(worker), ended.then(() => false)])
    if (!serves) throw new Error('A server process ended before it served.')
    void ended.then(() => replace(start))
  }

  async function replace(start: StartMessage): Promise<void> {
    while (!opened.isClosing()) {
      log.warn('a server process ended, and is replaced')
      await wait(REPLACE_MS)
      if (opened.isClosing()) return
      const isBack = await run({ ...start, isAgain: true }).then(
        () => true,
        () => false,
      )
      if (isBack) return log.warn('the new server process serves')
    }
  }

  const start = { type: 'start', address, dataDir, isAgain: false } as const
  await run({ ...start, isFirst: true })
  await Promise.all(Array.from({ length: count - 1 }, () => run({ ...start, isFirst: false })))
}

/** Resolves once the worker says that it serves. */
function isServing(worker: Worker): Promise<boolean> {
  return new Promise((resolve) => {
    worker.on('message', (message: unknown) => {
      if (readMessage(message)?.type === 'serving') resolve(true)
    })
  })
}

/** Lets all finish what they are doing, and ends those that take too long. */
async function stopAll(alive: ReadonlySet<Worker>, stopBy: number): Promise<void> {
  const all = [...alive]
  const ends = all.map((worker) => once(worker, 'exit'))
  for (const { process } of all) process.kill('SIGTERM')
  await within(Math.max(0, stopBy - LEAST_DATABASE_MS - Date.now()), Promise.all(ends))
  for (const { process } of alive) process.kill('SIGKILL')
}
