import { join } from 'node:path'
import type { Logger } from 'pino'
import { makeActivity } from '../activity.ts'
import { buildApp } from '../app.ts'
import { keepSignInsSwept } from '../auth/sweep.ts'
import { type BackupPlace, inFolder, inObjectStorage } from '../backup/nightly/backup-place.ts'
import { startNightlyBackups } from '../backup/nightly/nightly.ts'
import { startClubImports } from '../club-files/import-when-due.ts'
import { composeMail } from '../compose-mail.ts'
import { databaseClock } from '../db/clock.ts'
import { connect } from '../db/connect.ts'
import { removeKept } from '../db/embedded/upgrade/kept.ts'
import type { Address } from '../db/on-client.ts'
import type { Deps } from '../deps.ts'
import { describeError } from '../describe-error.ts'
import { cannotListen } from '../http/check-address.ts'
import { adoptImages } from '../images/adopt.ts'
import { diskStore } from '../images/disk-store.ts'
import { claimImages } from '../images/ownership.ts'
import { findInstallationId } from '../images/queries.ts'
import { s3Store } from '../images/s3-store.ts'
import { keepImagesSwept } from '../images/sweep.ts'
import { jobSteps } from '../job-steps.ts'
import { startJobWorker } from '../jobs/worker.ts'
import { loadRenderer } from '../load-renderer.ts'
import { outboxMailer } from '../mail/outbox.ts'
import { smtpMailer } from '../mail/smtp.ts'
import { startMailWorker } from '../mail/worker.ts'
import { cardPayment } from '../payments/stripe.ts'
import { startPaymentWorker } from '../payments/worker.ts'
import { keepOldSwept } from '../retention/sweep.ts'
import { isLocalAddress, isLocalHost, poolOf, type Settings } from '../settings.ts'
import type { Loop } from '../start-loop.ts'
import { composeApart } from '../tickets/maker.ts'
import { startWebhookWorker } from '../webhooks/worker.ts'
import { whenLost } from './open-database.ts'
import { type OpenedParts, within } from './opened-parts.ts'

/** How long requests in flight may take, in ms; then their connections are closed. */
const DRAIN_MS = 5_000
/** How long a worker may take to finish its current work, in ms. */
const WORKER_MS = 4_000
/** How long connections to the database may take to close, in ms. */
const POOL_MS = 700

interface Serving {
  settings: Settings
  dataDir: string
  address: Address
  log: Logger
  opened: OpenedParts
  /** The folder of the built server, pages and web app. */
  root: string
  /** Does what one process does for all others; `announce` is called once the address is ours. */
  first: { announce: (deps: Deps) => Promise<void> } | null
}

/** Serves over HTTP and does the work in the background, with the database open and migrated. */
export async function serve({ settings, dataDir, address, log, opened, root, first }: Serving): Promise<void> {
  const db = connect(address, {
    onError: whenLost(log),
    isNaming: settings.preparedStatements,
    connections: poolOf(settings),
  })
  opened.add(() => within(POOL_MS, db.destroy()))
  const clock = await databaseClock(db)
  opened.add(async () => clock.stop())
  const mailer =
    settings.smtpUrl === null
      ? outboxMailer(dataDir, settings.mailFrom)
      : smtpMailer(settings.smtpUrl, settings.mailFrom, { compose: composeApart })
  opened.add(async () => mailer.close())
  const installationId = await findInstallationId(db)
  if (settings.s3 === null) adoptImages(dataDir, installationId)
  const images = settings.s3 === null ? diskStore(dataDir) : await s3Store(settings.s3, installationId)
  const stripe = settings.stripe === null ? null : cardPayment(settings.stripe)
  const deps: Deps = {
    db,
    address,
    mailer,
    images,
    dataDir,
    stripe,
    now: clock.now,
    settings,
    log,
    activity: makeActivity(),
  }

  const serving: (() => Promise<unknown>)[] = []
  opened.add(() => Promise.allSettled(serving.map((stop) => stop())))
  let isServing = false
  const webDir = join(root, 'web')
  const workers = new Map<string, Pick<Loop, 'lastRoundAt'>>()
  const work = () => Object.fromEntries(Array.from(workers, ([name, { lastRoundAt }]) => [name, lastRoundAt()]))
  const renderer = await loadRenderer(join(root, 'pages/render.js'))
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
  await first?.announce(deps)

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
  if (first) await startForAll(deps, { settings, address, log, add: (stop) => void serving.push(stop) })
}

interface ForAll extends Pick<Serving, 'settings' | 'address' | 'log'> {
  add: (stop: () => Promise<unknown>) => void
}

/** What one process does for all others: backups, sweeps, and warnings about the settings. */
async function startForAll(deps: Deps, { settings, address, log, add }: ForAll): Promise<void> {
  const onGood = () => forgetOldData(deps)
  if (settings.backups) {
    const place = await backupPlace(deps, settings)
    const nightly = startNightlyBackups(deps, { address, place, ...(settings.databaseUrl === null && { onGood }) })
    add(() => within(WORKER_MS, nightly.stop()))
  }
  const imports = startClubImports(deps)
  add(() => within(WORKER_MS, imports.stop()))
  const sweeps = [keepSignInsSwept(deps), keepImagesSwept(deps), keepOldSwept(deps, deps.dataDir)]
  add(async () => sweeps.forEach(clearInterval))
  void logForeignImages(deps)
  if (isLocalAddress(settings.baseUrl) && !isLocalHost(settings.host))
    log.warn(`BASE_URL is ${settings.baseUrl}: the links in mails and QR codes work on this machine only`)
  if (settings.databaseUrl !== null && settings.s3 === null)
    log.warn(
      `DATABASE_URL is set without S3_…: images are kept in ${deps.dataDir}, so that another server with this database does not have them`,
    )
}

/** Removes the data from before an upgrade of the embedded database, some days after it. */
async function forgetOldData({ dataDir, now, log }: Deps): Promise<void> {
  try {
    const removed = await removeKept(dataDir, now())
    if (removed !== null) log.info(`removed ${removed}, the data from before the upgrade of PostgreSQL`)
  } catch (error) {
    log.warn({ err: describeError(error) }, 'the data from before the upgrade of PostgreSQL could not be removed')
  }
}

/** Where the settings say that the nightly backups are kept. */
async function backupPlace(deps: Deps, { backupDir, backupsInS3, s3 }: Settings): Promise<BackupPlace> {
  if (!backupsInS3 || !s3) return inFolder(backupDir ?? join(deps.dataDir, 'backups'))
  const installationId = await findInstallationId(deps.db)
  return inObjectStorage(deps, { storage: s3, installationId, dir: join(deps.dataDir, 'backups-to-store') })
}

/** One warning when images and database do not belong together. Object storage that does not answer does not prevent serving. */
async function logForeignImages(deps: Deps): Promise<void> {
  const fault = await claimImages(deps).catch((error: unknown) => `The images could not be looked at: ${String(error)}`)
  if (fault !== null) deps.log.warn(fault)
}
