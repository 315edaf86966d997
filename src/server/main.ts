import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import closeWithGrace from 'close-with-grace'
import { pino } from 'pino'
import { buildApp } from './app.ts'
import { makeFirstSudo } from './auth/first-sudo.ts'
import { sweepSessions } from './auth/sweep.ts'
import { connect } from './db/connect.ts'
import { type Embedded, openEmbedded } from './db/embedded.ts'
import { migrate } from './db/migrate.ts'
import { fillDemo } from './demo.ts'
import type { Deps } from './deps.ts'
import { diskStore } from './images/disk-store.ts'
import { s3Store } from './images/s3-store.ts'
import { keepImagesSwept } from './images/sweep.ts'
import { outboxMailer } from './mail/outbox.ts'
import { smtpMailer } from './mail/smtp.ts'
import { startMailWorker } from './mail/worker.ts'
import { cardPayment } from './payments/stripe.ts'
import { startPaymentWorker } from './payments/worker.ts'
import { readSettings, type Settings, WrongSettings } from './settings.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

/** How long each part may take to stop, in ms; what takes longer is left behind, so that the database is always stopped in order. */
const PATIENCE_MS = 5_000
/** What is in flight gets this long, in ms; then its connections are closed. */
const DRAIN_MS = 10_000

/** What has been opened, and the way to close it all in reverse, once. */
function openedParts() {
  const closers: (() => Promise<unknown>)[] = []
  let closing: Promise<void> | null = null
  async function closeAll(): Promise<void> {
    for (let close = closers.pop(); close; close = closers.pop()) await close().catch(() => {})
  }
  return {
    add: (close: () => Promise<unknown>) => void closers.push(close),
    close: () => (closing ??= closeAll()),
  }
}

/** Starts the server: settings, database, schema, HTTP, accounts, mail worker. A signal, or a fault at any step, undoes it in reverse. */
async function main(): Promise<void> {
  const settings = readSettings(process.env)
  const opened = openedParts()
  stopOnSignal(opened.close)
  try {
    await start(settings, opened)
  } catch (error) {
    await opened.close()
    throw error
  }
}

async function start(settings: Settings, opened: ReturnType<typeof openedParts>): Promise<void> {
  const log = pino({ level: settings.logLevel, base: null })
  closeWithGrace({ delay: 30_000, logger: false, skip: ['SIGTERM', 'SIGINT'] }, async ({ err }) => {
    if (err) log.fatal({ message: err.message, stack: err.stack }, 'stopping after an error')
    await opened.close()
  })
  const dataDir = resolve(settings.dataDir)
  mkdirSync(dataDir, { recursive: true })

  const opening = settings.databaseUrl === null ? openEmbedded(dataDir, (line) => log.info(line)) : null
  opened.add(async () => (await opening)?.stop())
  const embedded = await opening
  const db = connect(settings.databaseUrl ?? embedded?.connection ?? '', (error) =>
    log.warn({ message: error.message }, 'database connection lost'),
  )
  opened.add(() => within(PATIENCE_MS, db.destroy()))
  await migrate(db)
  const mailer =
    settings.smtpUrl === null
      ? outboxMailer(dataDir, settings.mailFrom)
      : smtpMailer(settings.smtpUrl, settings.mailFrom)
  opened.add(async () => mailer.close())
  const images = settings.s3 === null ? diskStore(dataDir) : await s3Store(settings.s3)
  const stripe = settings.stripe === null ? null : cardPayment(settings.stripe)
  const deps: Deps = { db, mailer, images, stripe, now: () => new Date(), settings, log }

  let isServing = false
  const webDir = join(import.meta.dirname, '../web')
  const app = await buildApp(deps, { webDir, isServing: () => isServing })
  opened.add(async () => {
    isServing = false
    setTimeout(() => app.server.closeAllConnections(), DRAIN_MS).unref()
    await within(DRAIN_MS + PATIENCE_MS, app.close())
  })
  await app.listen({ port: settings.port, host: settings.host })
  // Only now that the address is ours: the password made here is shown this once, whatever comes after.
  const sudo = await makeFirstSudo(deps, settings)
  tellWhereAndHow(settings, sudo)
  if (!settings.limits) say('  LIMITS=off: public calls are not limited. This is for load tests only.\n')
  if (process.argv.includes('--demo')) tellDemo(settings, await fillDemo(deps))

  isServing = true

  for (const worker of [startMailWorker(deps), startPaymentWorker(deps)])
    opened.add(() => within(PATIENCE_MS, worker.stop()))
  const sweeps = [sweepSessions(deps), keepImagesSwept(deps)]
  opened.add(async () => sweeps.forEach(clearInterval))
  if (embedded) stopWhenLost(embedded, opened.close)
}

/** Waits for it, but not longer than this. */
function within(ms: number, work: Promise<unknown>): Promise<unknown> {
  return Promise.race([work, wait(ms, null, { ref: false })])
}

/** What is in flight is finished, then the process ends with 0. A terminal sends its signal to many at once, so a repeat means nothing. */
function stopOnSignal(stop: () => Promise<void>): void {
  const end = () => void stop().then(() => process.exit(0))
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
}

/** Another process may take the data directory once our hold on it is gone: nothing may be written any more. */
function stopWhenLost({ lost }: Embedded, stop: () => Promise<void>): void {
  void lost.then(async (error) => {
    process.stderr.write(`Turnout stops: ${error.message}\n`)
    await stop().catch(() => {})
    process.exit(1)
  })
}

type Made = Awaited<ReturnType<typeof makeFirstSudo>>
type Demo = Awaited<ReturnType<typeof fillDemo>>

function tellWhereAndHow({ baseUrl, host, port }: Settings, sudo: Made): void {
  say('')
  say(`  Turnout is running at ${baseUrl} (listening on ${host}:${port})`)
  if (sudo) say(`  Operator:  ${sudo.email}  password: ${sudo.password ?? 'as set in SUDO_PASSWORD'}`)
  if (sudo?.password) say('             This password is shown this once. Sign in and change it.')
  if (!sudo) say("  Operator:  sign in with the operator's e-mail and password, as printed at the first start")
  say('')
}

function tellDemo({ baseUrl }: Settings, { clubId, email, password }: Demo): void {
  say(`  Demo:      ${baseUrl}/club/${clubId}/event`)
  say(`             admin ${email}  password: ${password}`)
  say('')
}

main().catch((error: unknown) => {
  if (error instanceof WrongSettings) for (const fault of error.faults) process.stderr.write(`${fault}\n`)
  else process.stderr.write(`Turnout could not start: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})
