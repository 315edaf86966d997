import { join } from 'node:path'
import closeWithGrace from 'close-with-grace'
import { type Logger, pino } from 'pino'
import { chooseDataDir, makeDataDir } from './data-dir.ts'
import { checkAddress } from './http/check-address.ts'
import { isWorker, receiveStart, tellServing } from './processes/as-worker.ts'
import { readSettings, type Settings, WrongSettings } from './settings.ts'
import { announce } from './start/announce.ts'
import { setHeapFlags } from './start/heap.ts'
import { openDatabase } from './start/open-database.ts'
import { type OpenedParts, openedParts, STOP_MS } from './start/opened-parts.ts'
import { serve } from './start/serve.ts'
import { startWorkers } from './start/workers.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)
const root = join(import.meta.dirname, '..')

/** Starts the server. A signal, or a fault at any step, undoes it in reverse. */
async function main(): Promise<void> {
  setHeapFlags()
  const settings = readSettings(process.env)
  const opened = openedParts()
  stopOnSignal(opened.close)
  try {
    const log = openLog(settings, opened)
    await (isWorker ? startAsWorker(settings, log, opened) : start(settings, log, opened))
  } catch (error) {
    await opened.close()
    throw error
  }
}

/** Opens the database and serves: in this process, or in several behind it. */
async function start(settings: Settings, log: Logger, opened: OpenedParts): Promise<void> {
  const dataDir = chooseDataDir(settings, say)
  makeDataDir(dataDir)
  await checkAddress(settings)
  const address = await openDatabase({ settings, dataDir, log, opened, say })
  if (settings.workers > 1) return startWorkers({ count: settings.workers, address, dataDir, log, opened })
  const first = { announce: (deps: Parameters<typeof announce>[0]) => announce(deps, settings, say) }
  return serve({ settings, dataDir, address, log, opened, root, first })
}

/** One of several server processes: the first process has opened the database. */
async function startAsWorker(settings: Settings, log: Logger, opened: OpenedParts): Promise<void> {
  const { address, dataDir, isFirst, isAgain } = await receiveStart()
  const first = isFirst && {
    announce: async (deps: Parameters<typeof announce>[0]) => {
      if (!isAgain) await announce(deps, settings, say)
    },
  }
  await serve({ settings, dataDir, address, log, opened, root, first: first || null })
  tellServing()
}

function openLog(settings: Settings, opened: OpenedParts): Logger {
  // Lines are written in batches, not with one system call each.
  const lines = pino.destination({ sync: false })
  process.once('exit', () => lines.flushSync())
  // With several processes, each line has the id of its process.
  const log = pino({ level: settings.logLevel, base: settings.workers > 1 ? { pid: process.pid } : null }, lines)
  closeWithGrace({ delay: STOP_MS + 500, logger: false, skip: ['SIGTERM', 'SIGINT'] }, async ({ err }) => {
    if (err) log.fatal({ message: err.message, stack: err.stack }, 'stopping after an error')
    await opened.close()
  })
  return log
}

/**
 * Finishes requests in flight, then exits with 0. A terminal sends its signal to several processes at once, so a repeated one is ignored.
 */
function stopOnSignal(stop: () => Promise<void>): void {
  const end = () => void stop().then(() => process.exit(0))
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
}

main().catch((error: unknown) => {
  if (error instanceof WrongSettings) for (const fault of error.faults) process.stderr.write(`${fault}\n`)
  else process.stderr.write(`Turnout could not start: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})
