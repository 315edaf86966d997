import { setTimeout as wait } from 'node:timers/promises'
import type { Deps } from '../deps.ts'
import { describeError, isUnavailable } from '../describe-error.ts'

import { type Claimed, claimDueMails } from './claim-queries.ts'
import type { Compose } from './composed.ts'
import { countSent } from './metrics.ts'
import { extendLeases, markDropped, markFailedTry, markSent, release } from './queries.ts'
import { holdUnasked, pauseQueue, probeAt, resumeQueue } from './state-queries.ts'
import { judge, reasonOf, type Verdict } from './verdict.ts'

export const BATCH = 20
/** Renewed while a mail is being sent, so that after a crash another worker takes it this soon. */
const LEASE_MS = 15_000
/** With gaps that double up to four hours, the last try is two days after the first. */
const MOST_TRIES = 20
const LONGEST_GAP_MIN = 240
const MINUTE = 60_000
const PACE_MS = 6_000
/** Mails that are accepted within this time are noted together, because each note waits for the disk, for which visitors wait too. */
const NOTE_MS = 50

/** The outcome of one mail of a round; null when it was neither accepted nor refused. */
type Outcome = { what: 'accepted' } | { what: 'refused'; verdict: Verdict; reason: string; isFirst: boolean } | null

export interface Sender {
  /** Sends what is due, up to a batch, and returns how many rows of the queue it took. */
  sendDue: () => Promise<number>
  /** Starts no more mails; those under way go on. */
  stop: () => void
}

/**
 * Makes a sender. Any number of them, in any number of processes, share the queue. It remembers mails that were sent but could not be
 * marked as such while the database was unavailable, so that nothing goes out twice.
 */
export function makeSender(deps: Deps, compose: Compose): Sender {
  const { db, now, log } = deps
  /** Rows of mails that the mail server accepted, and when, until the database has stored it. */
  const unnoted = new Map<number, { ids: number[]; at: Date }>()
  let noting: Promise<void> | null = null
  let lastClubId: number | null = null
  let isStopping = false

  async function sendDue(): Promise<number> {
    await storeOutcomes()
    // Keeps everybody, us too, from sending those again. Fails while the database is unavailable, so that nothing is sent that could not be
    // noted.
    if (unnoted.size > 0) await renew([])
    const at = now()
    const claims = await claimDueMails(db, {
      now: at,
      leaseMs: LEASE_MS,
      longestGapMs: LONGEST_GAP_MIN * MINUTE,
      limit: BATCH,
      pace: paceOf(deps.settings.mailsPerMinute, at),
      lastClubId,
    })
    lastClubId = claims.lastClubId
    const renewing = setInterval(() => void renew(claims.mails).catch(warn('mail leases not renewed')), LEASE_MS / 3)
    // All of them, even if one fails: the others' leases must be renewed until they are done.
    const ends = await sendAll(claims.mails, claims.isProbe).finally(() => clearInterval(renewing))
    for (const end of ends)
      if (end.status === 'rejected') log.error({ err: describeError(end.reason) }, 'state of a mail not noted')
    await decide(
      ends.map((end) => (end.status === 'fulfilled' ? end.value : null)),
      claims.isProbe,
    )
    return claims.mails.reduce((sum, { followers }) => sum + 1 + followers.length, 0)
  }

  async function sendAll(mails: readonly Claimed[], isProbe: boolean): Promise<PromiseSettledResult<Outcome>[]> {
    const unasked = mails
      .filter(({ lead }) => lead.isUnasked && lead.registrationId)
      .flatMap(({ lead, followers }) => [lead, ...followers].map(({ id }) => ({ id, leadId: lead.id })))
    const held = await holdUnasked(db, unasked, now()).catch(async (error: unknown) => {
      log.error({ err: describeError(error) }, 'mails that visitors caused were not counted')
      const leadIds = new Set(unasked.map(({ leadId }) => leadId))
      await Promise.allSettled([...leadIds].map((id) => release(db, id, { lastError: null })))
      return leadIds
    })
    return Promise.allSettled(mails.filter(({ lead }) => !held.has(lead.id)).map((each) => hand(each, isProbe)))
  }

  /** Composes a mail, hands it to the mail server and stores the outcome. */
  async function hand(claimed: Claimed, isProbe: boolean): Promise<Outcome> {
    const { lead } = claimed
    const composed = await compose(deps, claimed).catch((error: unknown) => ({ error }))
    if ('error' in composed) {
      const { code, message } = describeError(composed.error)
      // A database without a free connection says nothing about the mail.
      if (isUnavailable(code, message)) await release(db, lead.id, { lastError: null })
      else await storeFailure(claimed, 'later', composed.error, isProbe)
      return null
    }
    const { dropped } = composed
    if (!composed.mail) {
      if (dropped.length > 0) await markDropped(db, dropped)
      return null
    }
    if (isStopping) {
      await release(db, lead.id, { lastError: null })
      return null
    }
    try {
      await deps.mailer.send(composed.mail)
    } catch (error) {
      const verdict = judge(error)
      await storeFailure(claimed, verdict, error, isProbe)
      return { what: 'refused', verdict, reason: reasonOf(error), isFirst: lead.policyRefusals === 0 }
    }
    countSent()
    unnoted.set(lead.id, { ids: composed.told, at: now() })
    await noteSoon()
    // Only now: a row whose mail carries others stays in the queue until that mail is out.
    if (dropped.length > 0) await markDropped(db, dropped).catch(warn('mails without news not dropped'))
    return { what: 'accepted' }
  }

  async function storeFailure({ lead, followers }: Claimed, verdict: Verdict, error: unknown, isProbe: boolean) {
    const lastError = describeError(error).message.slice(0, 500)
    const next = (tries: number) => {
      const gapMs = Math.min(2 ** (tries - 1), LONGEST_GAP_MIN) * MINUTE
      return tries >= MOST_TRIES ? null : new Date(now().getTime() + gapMs)
    }
    // A failure of ours does not count as a try of the mail. After a refused probe another mail probes next.
    if (verdict === 'ours') return release(db, lead.id, { lastError })
    if (verdict === 'policy') {
      const policyRefusals = lead.policyRefusals + (isProbe ? 0 : 1)
      const runAt = isProbe ? next(1) : next(policyRefusals)
      if (runAt) return release(db, lead.id, { lastError, runAt, policyRefusals })
    }
    const nextTry = verdict === 'later' ? next(lead.attempts) : null
    log.warn({ mailId: lead.id, attempts: lead.attempts, willRetry: nextTry !== null }, 'mail not sent')
    const ids = [lead, ...followers].map(({ id }) => id)
    await markFailedTry(db, ids, { lastError, nextTry })
  }

  /** Pauses the queue when a round shows that the mail server refuses us; resumes it after a successful probe. */
  async function decide(outcomes: readonly Outcome[], isProbe: boolean): Promise<void> {
    const refused = outcomes.filter((outcome) => outcome?.what === 'refused')
    const isAccepted = outcomes.some((outcome) => outcome?.what === 'accepted')
    // A mail refused by policy again, after another one was taken, is at fault itself.
    const cause = refused.find(
      ({ verdict, isFirst }) => verdict === 'ours' || (verdict === 'policy' && (isFirst || isProbe)),
    )
    if (cause) {
      await pauseQueue(db, cause.reason, now())
      log.error({ reason: cause.reason }, 'mail is paused: the mail server refuses it')
    } else if (isProbe && (isAccepted || refused.some(({ verdict }) => verdict === 'final'))) {
      await resumeQueue(db, now())
      log.warn('mail goes out again')
    } else if (isProbe && refused.length === 0) {
      // There was nothing to send after all, which says nothing about the mail server.
      await probeAt(db, now())
    }
  }

  /** Stores what was sent, with what is sent in the next moment. */
  function noteSoon(): Promise<void> {
    noting ??= wait(NOTE_MS).then(() => {
      noting = null
      return storeOutcomes()
    })
    return noting
  }

  /** Stores what was sent. What cannot be stored now is stored before anything else is sent. */
  async function storeOutcomes(leadIds = [...unnoted.keys()]): Promise<void> {
    try {
      await markSent(
        db,
        leadIds.flatMap((leadId) => unnoted.get(leadId) ?? []),
      )
      for (const leadId of leadIds) unnoted.delete(leadId)
    } catch (error) {
      const { code, message } = describeError(error)
      log.warn({ err: { code, message }, mails: leadIds.length }, 'sent mails could not be noted yet')
      // One that cannot be noted must not keep the others from it.
      if (leadIds.length > 1 && !isUnavailable(code, message))
        for (const leadId of leadIds) await storeOutcomes([leadId])
    }
  }

  function renew(claimed: readonly Claimed[]): Promise<void> {
    const ids = [...claimed.map(({ lead }) => lead.id), ...unnoted.keys()]
    return extendLeases(db, ids, new Date(now().getTime() + LEASE_MS))
  }

  const warn = (what: string) => (error: unknown) => log.warn({ err: describeError(error) }, what)
  return {
    sendDue,
    stop: () => {
      isStopping = true
    },
  }
}

/** Judged over a few seconds, so that a minute's mails do not all go in its first. */
function paceOf(mailsPerMinute: number | null, now: Date) {
  if (mailsPerMinute === null) return null
  const most = Math.max(1, Math.round((mailsPerMinute * PACE_MS) / 60_000))
  return { since: new Date(now.getTime() - PACE_MS), most }
}
