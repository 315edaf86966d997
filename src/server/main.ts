import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import closeWithGrace from 'close-with-grace'
import { type Logger, pino } from 'pino'
import { makeActivity } from './activity.ts'
import { buildApp } from './app.ts'
import { makeFirstSudo } from './auth/first-sudo.ts'
import { keepSignInsSwept } from './auth/sweep.ts'
import { startNightlyBackups } from './backup/nightly/nightly.ts'
import { composeMail } from './compose-mail.ts'
import { chooseDataDir, makeDataDir } from './data-dir.ts'
import { databaseClock } from './db/clock.ts'
import { connect } from './db/connect.ts'
import { type Embedded, openEmbedded } from './db/embedded/embedded.ts'
import { migrate } from './db/migrate.ts'
import { fillDemo } from './demo.ts'
import type { Deps } from './deps.ts'
import { cannotListen, checkAddress } from './http/check-address.ts'
import { adoptImages } from './images/adopt.ts'
import { diskStore } from './images/disk-store.ts'
import { claimImages } from './images/ownership.ts'
import { findInstallationId } from './images/queries.ts'
import { s3Store } from './images/s3-store.ts'
import { keepImagesSwept } from './images/sweep.ts'
import { jobSteps } from './job-steps.ts'
import { startJobWorker } from './jobs/worker.ts'
import { loadRenderer } from './load-renderer.ts'
import { outboxMailer } from './mail/outbox.ts'
import { senderWarning, smtpMailer } from './mail/smtp.ts'
import { startMailWorker } from './mail/worker.ts'
import { cardPayment } from './payments/stripe.ts'
import { startPaymentWorker } from './payments/worker.ts'
import { keepOldSwept } from './retention/sweep.ts'
import { isLocalAddress, isLocalHost, readSettings, type Settings, WrongSettings } from './settings.ts'
import type { Loop } from './start-loop.ts'
import { startWebhookWorker } from './webhooks/worker.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

/**
 * The whole stop takes at most this long, in ms: supervisors kill after 10 s. Parts that are late are abandoned; the database is stopped
 * last.
 */
const STOP_MS = 8_500
/** How long requests in flight may take, in ms; then their connections are closed. */
const DRAIN_MS = 5_000
/** How long a worker may take to finish its current work, in ms. */
const WORKER_MS = 4_000
/** How long connections to the database may take to close, in ms. */
const POOL_MS = 700
/** The database gets at least this long to stop, in ms. */
const LEAST_DATABASE_MS = 1_500

/** Closes one part; one that may take long ends by `stopBy`. */
type Close = (stopBy: number) => Promise<unknown>

/** The parts opened so far, and the function that closes them all in reverse, once. */
function openedParts() {
  const closers: Close[] = []
  let closing: Promise<void> | null = null
  async function closeAll(): Promise<void> {
    const stopBy = Date.now() + STOP_MS
    for (let close = closers.pop(); close; close = closers.pop()) await close(stopBy).catch(() => {})
  }
  return {
    add: (close: Close) => void closers.push(close),
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
  // Lines are written in batches, not with one system call each.
  const lines = pino.destination({ sync: false })
  process.once('exit', () => lines.flushSync())
  const log = pino({ level: settings.logLevel, base: null }, lines)
  closeWithGrace({ delay: STOP_MS + 500, logger: false, skip: ['SIGTERM', 'SIGINT'] }, async ({ err }) => {
    if (err) log.fatal({ message: err.message, stack: err.stack }, 'stopping after an error')
    await opened.close()
  })
  const dataDir = chooseDataDir(settings, say)
  makeDataDir(dataDir)
  await checkAddress(settings)

  const embedded = settings.databaseUrl === null ? await openDatabase(dataDir, log, opened) : null
  const address = settings.databaseUrl ?? embedded?.connection ?? ''
  const onError = (error: Error) => log.warn({ message: error.message }, 'database connection lost')
  await migrateAt(address, onError)
  const db = connect(address, { onError, isNaming: settings.preparedStatements, connections: settings.dbPool })
  opened.add(() => within(POOL_MS, db.destroy()))
  const clock = await databaseClock(db)
  opened.add(async () => clock.stop())
  const mailer =
    settings.smtpUrl === null
      ? outboxMailer(dataDir, settings.mailFrom)
      : smtpMailer(settings.smtpUrl, settings.mailFrom)
  opened.add(async () => mailer.close())
  const installationId = await findInstallationId(db)
  if (settings.s3 === null) adoptImages(dataDir, installationId)
  const images = settings.s3 === null ? diskStore(dataDir) : await s3Store(settings.s3, installationId)
  const stripe = settings.stripe === null ? null : cardPayment(settings.stripe)
  const deps: Deps = { db, mailer, images, dataDir, stripe, now: clock.now, settings, log, activity: makeActivity() }

  const serving: (() => Promise<unknown>)[] = []
  opened.add(() => Promise.allSettled(serving.map((stop) => stop())))
  let isServing = false
  const webDir = join(import.meta.dirname, '../web')
  const workers = new Map<string, Pick<Loop, 'lastRoundAt'>>()
  const work = () => Object.fromEntries(Array.from(workers, ([name, { lastRoundAt }]) => [name, lastRoundAt()]))
  const renderer = await loadRenderer(join(import.meta.dirname, '../pages/render.js'))
  const app = await buildApp(deps, { webDir, renderer, isServing: () => isServing, work })
  serving.push(async () => {
    isServing = false
    setTimeout(() => app.server.closeAllConnections(), DRAIN_MS).unref()
    await within(DRAIN_MS + 500, app.close())
  })
  await app.listen({ port: settings.port, host: settings.host }).catch((error: unknown) => {
    throw cannotListen(settings, error)
  })
  // Only now that the address is ours: the password made here is shown this once, whatever comes after.
  const sudo = await makeFirstSudo(deps, settings)
  logAddress(settings, sudo)
  if (!settings.limits) say('  LIMITS=off: public calls are not limited. This is for load tests only.\n')
  if (process.argv.includes('--demo')) logDemo(settings, await fillDemo(deps))

  isServing = true

  for (const [name, start] of Object.entries({
    mail: () => startMailWorker(deps, composeMail),
    payments: () => startPaymentWorker(deps),
    jobs: () => startJobWorker(deps, jobSteps),
    webhooks: () => startWebhookWorker(deps),
  })) {
    const worker = start()
    workers.set(name, worker)
    serving.push(() => within(WORKER_MS, worker.stop()))
  }
  if (settings.backups) {
    const nightly = startNightlyBackups(deps, { address, dir: settings.backupDir ?? join(dataDir, 'backups') })
    serving.push(() => within(WORKER_MS, nightly.stop()))
  }
  const sweeps = [keepSignInsSwept(deps), keepImagesSwept(deps), keepOldSwept(deps, dataDir)]
  serving.push(async () => sweeps.forEach(clearInterval))
  void logForeignImages(deps)
  if (isLocalAddress(settings.baseUrl) && !isLocalHost(settings.host))
    log.warn(`BASE_URL is ${settings.baseUrl}: the links in mails and QR codes work on this machine only`)
  if (settings.databaseUrl !== null && settings.s3 === null)
    log.warn(
      `DATABASE_URL is set without S3_…: images are kept in ${dataDir}, so that another server with this database does not have them`,
    )
  if (embedded) stopWhenLost(embedded, opened.close)
}

/** Brings the schema up to date over a connection of its own, on which statements may take long. */
async function migrateAt(address: Parameters<typeof connect>[0], onError: (error: Error) => void): Promise<void> {
  const db = connect(address, { onError, isPatient: true })
  try {
    await migrate(db)
  } finally {
    await db.destroy()
  }
}

/** The embedded database. A stop while it is still starting gives that up. */
async function openDatabase(dataDir: string, log: Logger, opened: ReturnType<typeof openedParts>): Promise<Embedded> {
  const givingUp = new AbortController()
  const opening = openEmbedded(dataDir, (line) => log.info(line), { tell: say, signal: givingUp.signal })
  opened.add(async (stopBy) => {
    givingUp.abort()
    const embedded = await opening
    await embedded.stop(Math.max(LEAST_DATABASE_MS, stopBy - Date.now()))
  })
  return opening
}

/** One warning when images and database do not belong together. Object storage that does not answer does not prevent serving. */
async function logForeignImages(deps: Deps): Promise<void> {
  const fault = await claimImages(deps).catch((error: unknown) => `The images could not be looked at: ${String(error)}`)
  if (fault !== null) deps.log.warn(fault)
}

/** Waits for it, but not longer than this. */
function within(ms: number, work: Promise<unknown>): Promise<unknown> {
  return Promise.race([work, wait(ms, null, { ref: false })])
}

/**
 * Finishes requests in flight, then exits with 0. A terminal sends its signal to several processes at once, so a repeated one is ignored.
 */
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

function logAddress(settings: Settings, sudo: Made): void {
  const { baseUrl, host, port } = settings
  say('')
  const warning = senderWarning(settings)
  if (warning) say(`  Warning:   ${warning}`)
  say(`  Turnout is running at ${baseUrl} (listening on ${host}:${port})`)
  if (sudo) say(`  Operator:  ${sudo.email}  password: ${sudo.password ?? 'as set in SUDO_PASSWORD'}`)
  if (sudo?.password) say('             This password is shown this once. Sign in and change it.')
  if (!sudo) say("  Operator:  sign in with the operator's e-mail and password, as printed at the first start")
  say('')
}

function logDemo({ baseUrl }: Settings, { clubId, email, password }: Demo): void {
  say(`  Demo:      ${baseUrl}/club/${clubId}/event`)
  say(`             admin ${email}  password: ${password}`)
  say('')
}

main().catch((error: unknown) => {
  if (error instanceof WrongSettings) for (const fault of error.faults) process.stderr.write(`${fault}\n`)
  else process.stderr.write(`Turnout could not start: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})
