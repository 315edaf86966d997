import { createHash } from 'node:crypto'
import type { Input } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import type { PaperRow, paperApi } from '../../contract/paper.ts'
import { hashedStart, SHORT_HASH_DIGITS } from '../../contract/values/ticket-codes.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { checkInFromPaper } from '../checkins/save-checkin.ts'
import type { Deps } from '../deps.ts'
import { findOwnRegistrations } from '../records/registration-queries.ts'
import { findFormerNumbers } from '../scans/moved-code-queries.ts'
import { currentCodes } from '../scans/moved-codes.ts'
import { decideOneOnce } from '../scans/once.ts'
import { hashOf } from '../tokens.ts'
import * as queries from './queries.ts'

interface Code {
  id: number
  /** The first digits of the secret; null for a number alone. */
  start: string | null
}

const LARGEST_ID = 2_147_483_647

function readCode(text: string): Code | null {
  const [, id, start] = /^#?0*([1-9]\d{0,9})(?:-([0-9a-f]{8}))?$/i.exec(text) ?? []
  return id !== undefined && Number(id) <= LARGEST_ID ? { id: Number(id), start: start?.toLowerCase() ?? null } : null
}

/** Who stands behind the numbers and codes of a paper list, in their order. */
export async function readPaper(
  { db }: Deps,
  caller: AdminCaller,
  event: OwnEvent,
  codes: readonly string[],
): Promise<PaperRow[]> {
  const given = codes.map((text) => ({ text, code: readCode(text) }))
  const read = await currentOnes(db, event, given)
  const ids = read.flatMap(({ code }) => code?.id ?? [])
  const rows = new Map((await queries.findForCodes(db, event.clubId, ids)).map((row) => [row.id, row]))
  return read.map(({ text, code }) => {
    const nobody = { code: text, registrationId: null, name: null, inAt: null, eventName: null }
    if (!code) return { ...nobody, state: 'unreadable' }
    const row = rows.get(code.id)
    if (!row || !isOf(code, row)) return { ...nobody, state: 'unknown' }
    // Numbers can be guessed: whoever works on some events only learns nothing of others.
    if (row.eventId !== event.id)
      return caller.eventIds === null
        ? { ...nobody, state: 'other event', eventName: row.eventName }
        : { ...nobody, state: 'unknown' }
    return { ...nobody, state: stateOf(row), registrationId: row.id, name: row.name, inAt: row.isIn ? row.inAt : null }
  })
}

interface Read {
  text: string
  code: Code | null
}

/**
 * The codes with the numbers of this server. A list that another one printed, from which the club has moved, has other numbers: without the
 * digits behind it, nobody can tell which one is meant.
 */
async function currentOnes(db: Deps['db'], event: OwnEvent, read: readonly Read[]): Promise<Read[]> {
  if (!event.hasMovedCodes) return [...read]
  const codes = read.flatMap(({ code }) => code ?? [])
  const former = new Set(
    await findFormerNumbers(
      db,
      event.clubId,
      codes.map(({ id }) => id),
    ),
  )
  const typed = codes.flatMap(({ id, start }) =>
    start === null ? [] : [{ kind: 'short' as const, id, qrStart: start }],
  )
  const current = new Map((await currentCodes(db, event, typed)).map(({ id }, at) => [typed[at], id]))
  return read.map(({ text, code }) => {
    if (code?.start === null && former.has(code.id)) return { text, code: null }
    const found = typed.find((each) => each.id === code?.id && each.qrStart === code.start)
    return { text, code: code && { ...code, id: (found && current.get(found)) ?? code.id } }
  })
}

/** Compares as many digits as phones at the door have, so that trying codes here tells nothing more about a secret (decision 12). */
function isOf({ id, start }: Code, { qrUuid }: queries.PaperCodeRow): boolean {
  const digitsOf = (qrStart: string) =>
    createHash('sha256').update(hashedStart({ id, qrStart })).digest('hex').slice(0, SHORT_HASH_DIGITS)
  return start === null || digitsOf(start) === digitsOf(qrUuid.slice(0, 8))
}

function stateOf({ status, isIn }: queries.PaperCodeRow): PaperRow['state'] {
  if (status === 'confirmed') return isIn ? 'in' : 'ready'
  return status === 'pending' ? 'unpaid' : 'cancelled'
}

type Entry = Input<typeof paperApi.checkInFromPaper>['payload']

/**
 * Checks in those who were ticked on paper, in one transaction and once for each `scanId`. Whoever is in already, or has no valid ticket of
 * this event, stays as they are. Refuses with EVENT_CANCELLED, and with INVALID_INPUT when the `scanId` was used for others.
 */
export async function enterPaper(
  { db, now }: Deps,
  caller: AdminCaller,
  event: OwnEvent,
  { scanId, registrationIds }: Entry,
): Promise<{ checkedIn: number; unchanged: number }> {
  if (event.status === 'cancelled') throw new Refusal('EVENT_CANCELLED')
  const ids = [...new Set(registrationIds)].sort((a, b) => a - b)
  const checkedIn = await db.transaction().execute(async (tx) => {
    const codeHash = hashOf(`from paper ${ids.join(' ')}`)
    const row = { scanId, eventId: event.id, codeHash, scannedAt: null, receivedAt: now() }
    const outcome = await decideOneOnce(tx, row, async () => {
      const registrations = await findOwnRegistrations(tx, event, ids)
      const fromPaper = await checkInFromPaper(tx, now(), caller, registrations)
      return { code: null, registrationId: null, checkin: null, eventName: null, fromPaper }
    })
    return outcome.fromPaper ?? 0
  })
  return { checkedIn, unchanged: ids.length - checkedIn }
}
