import { setTimeout as wait } from 'node:timers/promises'
import type { MailRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { describe } from '../http/errors.ts'
import { compose } from './compose.ts'
import { claimDueMails, extendLeases, markDropped, markFailedTry, markSent } from './queries.ts'

const BATCH = 20
/** Renewed while a mail is being sent, so that after a crash another worker takes it this soon. */
const LEASE_MS = 15_000
const GIVE_UP_MS = 48 * 60 * 60_000
const LONGEST_GAP_MIN = 240
const POLL_MS = 1_000
const PACE_MS = 6_000

/** Sends what is due. Any number of workers, in any number of processes, may do so at once. Answers how many it took. */
export async function sendDueMails(deps: Deps): Promise<number> {
  const now = deps.now()
  const { mailsPerMinute } = deps.settings
  const due = await claimDueMails(deps.db, {
    now,
    lockedUntil: new Date(now.getTime() + LEASE_MS),
    limit: BATCH,
    // Judged over a few seconds, so that a minute's mails do not all go in its first.
    pace: mailsPerMinute === null ? null : { since: new Date(now.getTime() - PACE_MS), most: paceOf(mailsPerMinute) },
  })
  const renewing = setInterval(() => {
    const lockedUntil = new Date(deps.now().getTime() + LEASE_MS)
    extendLeases(
      deps.db,
      due.map(({ id }) => id),
      lockedUntil,
    ).catch((error: unknown) => deps.log.warn({ err: describe(error) }, 'mail leases not renewed'))
  }, LEASE_MS / 3)
  // All of them, also when one fails: the others' leases are to be renewed until they are done.
  const ends = await Promise.allSettled(due.map((mail) => sendOne(deps, mail)))
  clearInterval(renewing)
  for (const end of ends)
    if (end.status === 'rejected') deps.log.error({ err: describe(end.reason) }, 'state of a mail not noted')
  return due.length
}

async function sendOne(deps: Deps, row: MailRow): Promise<void> {
  const { db, mailer, now, log } = deps
  try {
    const mail = await compose(deps, row)
    if (!mail) return await markDropped(db, row.id)
    await mailer.send(mail)
  } catch (error) {
    const nextTry = nextTryOf(row, now(), error)
    log.warn({ mailId: row.id, attempts: row.attempts, willRetry: nextTry !== null }, 'mail not sent')
    return markFailedTry(db, row.id, describe(error).message.slice(0, 500), nextTry)
  }
  await noteSent(deps, row)
}

const NOTING_TRIES = 5
const NOTING_PAUSE_MS = 1_000

/** The mail is out: that the database is away for a moment must not send it again. */
async function noteSent({ db, now }: Deps, row: MailRow): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await markSent(db, row.id, now())
    } catch (error) {
      if (tries === NOTING_TRIES) throw error
      await wait(NOTING_PAUSE_MS * tries)
    }
  }
}

/** What of a minute's mails may go in `PACE_MS`. */
function paceOf(mailsPerMinute: number): number {
  return Math.max(1, Math.round((mailsPerMinute * PACE_MS) / 60_000))
}

/** Gaps double from a minute to four hours, for two days. A server's 5xx is final. */
function nextTryOf({ attempts, createdAt }: MailRow, now: Date, error: unknown): Date | null {
  const isObject = typeof error === 'object' && error !== null
  const isFinal = isObject && 'responseCode' in error && Number(error.responseCode) >= 500
  const next = new Date(now.getTime() + Math.min(2 ** (attempts - 1), LONGEST_GAP_MIN) * 60_000)
  return isFinal || next.getTime() - createdAt.getTime() > GIVE_UP_MS ? null : next
}

/** Sends mails in the background until stopped; `stop` waits for those under way. */
export function startMailWorker(deps: Deps): { stop: () => Promise<void> } {
  let isStopping = false
  let wake = () => {}

  async function run(): Promise<void> {
    while (!isStopping) {
      const taken = await sendDueMails(deps).catch((error: unknown) => {
        deps.log.error({ err: describe(error) }, 'mail worker failed')
        return 0
      })
      if (taken === BATCH || isStopping) continue
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, POLL_MS)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }

  const running = run()
  return {
    stop: async () => {
      isStopping = true
      wake()
      await running
    },
  }
}
