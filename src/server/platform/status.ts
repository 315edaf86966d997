import { statfs } from 'node:fs/promises'
import type { Payload } from '../../contract/endpoint.ts'
import type { platformApi } from '../../contract/platform.ts'
import { PRODUCT_VERSION } from '../../contract/version.ts'
import type { Deps } from '../deps.ts'
import { type BackgroundWork, stuckWork } from '../http/health.ts'
import { findFailedMail, findJobs, readDatabase, readStripe } from './queries.ts'

/** How the server and all that it needs are. */
export async function readStatus(
  { db, dataDir, settings, stripe }: Deps,
  work: BackgroundWork,
): Promise<Payload<typeof platformApi.getStatus>> {
  const [database, disk, failed, told, jobs] = await Promise.all([
    readDatabase(db),
    readDisk(dataDir),
    findFailedMail(db),
    stripe && readStripe(db),
    findJobs(db),
  ])
  return {
    server: {
      version: PRODUCT_VERSION,
      node: process.versions.node,
      startedAt: new Date(Date.now() - process.uptime() * 1000),
      memory: process.memoryUsage.rss(),
      workers: settings.workers,
      stuck: stuckWork(work),
    },
    baseUrl: settings.baseUrl,
    database,
    disk,
    mail: { isSent: settings.smtpUrl !== null, lastFailure: failed && { ...failed, reason: failed.reason ?? '' } },
    stripe: stripe && told && { ...told, isLive: stripe.isLive },
    jobs: jobs.map(({ createdAt: startedAt, attempts, lastError, runAt: tryAgainAt, ...job }) => ({
      ...job,
      startedAt,
      failure: attempts === 0 ? null : { attempts, reason: lastError ?? '', tryAgainAt },
    })),
  }
}

async function readDisk(dir: string): Promise<{ free: number; total: number } | null> {
  try {
    const { bavail, blocks, bsize } = await statfs(dir)
    return { free: bavail * bsize, total: blocks * bsize }
  } catch {
    return null
  }
}
