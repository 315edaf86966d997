import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
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
import { readSettings, type Settings, WrongSettings } from './settings.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

/** Starts the server: settings, database, schema, accounts, HTTP, mail worker. SIGTERM undoes it in reverse. */
async function main(): Promise<void> {
  const settings = readSettings(process.env)
  const log = pino({ level: process.env.LOG_LEVEL ?? 'warn', base: null })
  const dataDir = resolve(settings.dataDir)
  mkdirSync(dataDir, { recursive: true })

  const embedded = settings.databaseUrl === null ? await openEmbedded(dataDir, (line) => log.info(line)) : null
  const db = connect(settings.databaseUrl ?? embedded?.connection ?? '', (error) =>
    log.warn({ message: error.message }, 'database connection lost'),
  )
  await migrate(db)
  const mailer =
    settings.smtpUrl === null
      ? outboxMailer(dataDir, settings.mailFrom)
      : smtpMailer(settings.smtpUrl, settings.mailFrom)
  const images = settings.s3 === null ? diskStore(dataDir) : await s3Store(settings.s3)
  const deps: Deps = { db, mailer, images, now: () => new Date(), settings, log }

  const sudo = await makeFirstSudo(deps, settings)
  const demo = process.argv.includes('--demo') ? await fillDemo(deps) : null

  let isStopping = false
  const webDir = join(import.meta.dirname, '../web')
  const app = await buildApp(deps, { webDir, isStopping: () => isStopping })
  await app.listen({ port: settings.port, host: settings.host })
  const worker = startMailWorker(deps)
  const sweeps = [sweepSessions(deps), keepImagesSwept(deps)]
  tellWhereAndHow(settings, sudo, demo)

  async function stop(): Promise<void> {
    isStopping = true
    await app.close()
    for (const sweep of sweeps) clearInterval(sweep)
    await worker.stop()
    mailer.close()
    await db.destroy()
    await embedded?.stop()
  }
  stopOnSignal(stop)
  closeWithGrace({ delay: 20_000, logger: false, skip: ['SIGTERM', 'SIGINT'] }, async ({ err }) => {
    if (err) log.fatal({ message: err.message, stack: err.stack }, 'stopping after an error')
    await stop()
  })
  if (embedded) stopWhenLost(embedded, stop)
}

const PATIENCE_MS = 25_000

/** What is in flight is finished, then the process ends with 0. A terminal sends its signal to many at once, so a repeat means nothing. */
function stopOnSignal(stop: () => Promise<void>): void {
  let isAsked = false
  const end = () => {
    if (isAsked) return
    isAsked = true
    setTimeout(() => process.exit(1), PATIENCE_MS).unref()
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
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
type Demo = Awaited<ReturnType<typeof fillDemo>> | null

function tellWhereAndHow({ baseUrl, host, port }: Settings, sudo: Made, demo: Demo): void {
  say('')
  say(`  Turnout is running at ${baseUrl} (listening on ${host}:${port})`)
  if (sudo) say(`  Operator:  ${sudo.email}  password: ${sudo.password ?? 'as set in SUDO_PASSWORD'}`)
  if (sudo?.password) say('             This password is shown this once. Sign in and change it.')
  if (!sudo) say("  Operator:  sign in with the operator's e-mail and password, as printed at the first start")
  if (demo) say(`  Demo:      ${baseUrl}/club/${demo.clubId}/event`)
  if (demo) say(`             admin ${demo.email}  password: ${demo.password}`)
  say('')
}

main().catch((error: unknown) => {
  if (error instanceof WrongSettings) for (const fault of error.faults) process.stderr.write(`${fault}\n`)
  else process.stderr.write(`Turnout could not start: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})
