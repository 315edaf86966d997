import type { Device, QueuedScan, ScanAnswer } from '../../contract/door.ts'
import { isRefusalCode, Refusal, refusalForTicket, refusals } from '../../contract/errors.ts'
import type { ExtrasPurchase } from '../../contract/extras.ts'
import * as texts from '../../texts/generated/passes.ts'
import type { Message } from '../../texts/language.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import type { RegistrationRow, Tx } from '../db/schema.ts'
import type { ScanOutcome } from '../db/tables/door.ts'
import type { Deps } from '../deps.ts'
import { findPurchases } from '../records/voucher-queries.ts'
import { lockedTicketsOf, type TicketOfVoucher } from '../redemptions/queries.ts'
import { notRedeemedText, redeemUnits } from '../redemptions/redeem-units.ts'
import { type NewConflict, storeConflicts } from '../scans/conflicts.ts'
import { type Decisions, decideOnce } from '../scans/once.ts'
import { PASS_ENDED } from '../scans/outcome.ts'
import { decideTogether } from '../scans/runs.ts'
import { hashOf } from '../tokens.ts'
import { isAfterEnd } from './may-do.ts'

/** An answer whose message is not formatted yet. */
export type UnformattedAnswer = Omit<ScanAnswer, 'msg'> & { msg: Message }

type Queued = QueuedScan & { act: { kind: 'redeem' } }

/** A redemption by a phone: one that it asks for, or one that it has made by itself. */
interface Asked {
  caller: AdminCaller
  event: OwnEvent
  device: Device
  queued: Queued
}

/** The same with its times, which stay however long it waits and is tried again. */
interface Received extends Asked {
  /** When it was made, by the server's clock. */
  at: Date
  receivedAt: Date
}

/** Stores a phone's redemption. */
export type RedeemQueued = (asked: Asked) => Promise<UnformattedAnswer>

/**
 * Makes the function that stores phones' redemptions, each once for each `scanId`, however often it is sent; those that wait at the same
 * moment share a transaction. What a phone gave out although the server refuses it is a conflict. Refuses with INVALID_INPUT.
 */
export function makeRedeemQueued({ db, now }: Deps): RedeemQueued {
  const redeem = decideTogether<Received, UnformattedAnswer | Refusal>(
    (asked) => db.transaction().execute((tx) => redeemTogether(tx, asked, now())),
    ({ queued: { scanId, act } }) => [scanId, `voucher ${act.extrasPurchaseId}`],
  )
  return async (asked) => {
    const receivedAt = now()
    const at = new Date(receivedAt.getTime() - asked.queued.agoMs)
    const answer = await redeem({ ...asked, at, receivedAt })
    if (answer instanceof Refusal) throw answer
    return answer
  }
}

/** Decides redemptions in one transaction; no two of them may be of the same voucher or `scanId`. */
async function redeemTogether(tx: Tx, asked: readonly Received[], now: Date): Promise<(UnformattedAnswer | Refusal)[]> {
  let tickets: readonly TicketOfVoucher[] = []
  const outcomes = await decideOnce(tx, asked, {
    toRow: ({ event, queued: { scanId, act }, at: scannedAt, receivedAt }) => {
      const codeHash = hashOf(JSON.stringify(['redeem', act.extrasPurchaseId, act.units]))
      return { scanId, eventId: event.id, codeHash, scannedAt, receivedAt }
    },
    // Only scans of one event are decided together.
    lock: lockedTicketsOf(
      asked.map(({ queued }) => queued.act.extrasPurchaseId),
      asked[0]?.event.id,
    ),
    decide: (undecided, rows) => {
      tickets = rows
      return decide(tx, now, undecided, rows)
    },
    // Conflicts and answers need the vouchers as they are after all decisions.
    isLast: false,
    isDecidedAnew: () => false,
  })
  const purchases = await findPurchases(
    tx,
    tickets.map(({ id }) => id),
  )
  const conflicts = asked.flatMap((each, index) => {
    const outcome = outcomes[index]
    return !outcome || outcome instanceof Refusal ? [] : conflictsOf(each, outcome, purchases)
  })
  await storeConflicts(tx, now, conflicts)
  return asked.map((each, index) => {
    const outcome = outcomes[index]
    if (!outcome) throw new Error('A redemption was left without an outcome.')
    return outcome instanceof Refusal ? outcome : answerOf(each.queued, outcome, ticketOf(each, tickets), purchases)
  })
}

function ticketOf({ queued: { act } }: Asked, tickets: readonly TicketOfVoucher[]): TicketOfVoucher | null {
  return tickets.find(({ purchaseId }) => purchaseId === act.extrasPurchaseId) ?? null
}

async function decide(
  tx: Tx,
  now: Date,
  asked: readonly Received[],
  tickets: readonly TicketOfVoucher[],
): Promise<Decisions<Received>> {
  const outcomes = new Map<Received, ScanOutcome>()
  const refused = new Map<Received, Refusal>()
  const valid: { each: Received; registration: TicketOfVoucher }[] = []
  for (const each of asked) {
    const registration = ticketOf(each, tickets)
    const code = reasonAgainst(each, registration)
    if (code === null && registration) valid.push({ each, registration })
    else outcomes.set(each, { ...outcomeOf(each, registration), code })
  }
  const results = await redeemUnits(
    tx,
    now,
    valid.map(({ each: { caller, event, queued }, registration }) => {
      const { extrasPurchaseId: purchaseId, units: wanted } = queued.act
      return { caller, event, registration, purchaseId, wanted }
    }),
  )
  for (const [index, { each, registration }] of valid.entries()) {
    const result = results[index]
    if (!result) throw new Error('A redemption was left without a result.')
    const outcome = outcomeOf(each, registration)
    if (result instanceof Refusal) refused.set(each, result)
    else if (result.problem === null) outcomes.set(each, { ...outcome, code: null })
    else outcomes.set(each, { ...outcome, code: 'ALREADY_REDEEMED', notRedeemed: result.problem })
  }
  return { outcomes, refused, changes: [] }
}

/** Why nothing can be redeemed of this ticket's vouchers, whatever is left of them; null when it can. */
function reasonAgainst({ caller, event, at }: Received, ticket: TicketOfVoucher | null): ScanOutcome['code'] {
  if (!ticket) return 'NOT_FOUND'
  if (isAfterEnd(caller, at)) return PASS_ENDED
  if (event.status === 'cancelled') return 'EVENT_CANCELLED'
  return refusalForTicket(ticket.status)
}

function outcomeOf({ queued: { act } }: Asked, ticket: TicketOfVoucher | null): Omit<ScanOutcome, 'code'> {
  const { extrasPurchaseId, units } = act
  return {
    registrationId: ticket?.id ?? null,
    checkin: null,
    eventName: null,
    purchaseIds: [extrasPurchaseId],
    units,
  }
}

/**
 * The conflict of a refused redemption that was given out: what it was, and the last time that the voucher was redeemed. A repeated one has it
 * too: refused when the server was asked, it was given out because the answer came too late.
 */
function conflictsOf(
  { event, caller, device, queued, at }: Received,
  { code, registrationId: found }: ScanOutcome,
  purchases: readonly ExtrasPurchase[],
): NewConflict[] {
  const { registrationId, extrasPurchaseId, units } = queued.act
  if (code === null || !queued.wasShownIn) return []
  const voucher = found === null ? undefined : purchases.find(({ id }) => id === extrasPurchaseId)
  const contents = units.map(({ count, name }) => `${count} × ${name}`).join(', ')
  return [
    {
      event,
      caller,
      scanId: queued.scanId,
      code,
      at,
      device: device.name,
      ticketId: found ?? registrationId,
      registrationId: found,
      voucher: voucher ? `${voucher.name}: ${contents}` : contents,
      first: voucher?.scannedAt ? { at: voucher.scannedAt, by: null, device: null } : null,
    },
  ]
}

function answerOf(
  { scanId, act }: Queued,
  { code, notRedeemed, text, registrationId }: ScanOutcome,
  ticket: RegistrationRow | null,
  purchases: readonly ExtrasPurchase[],
): UnformattedAnswer {
  return {
    scanId,
    code,
    msg: () => {
      if (code === PASS_ENDED) return texts.passHadEnded()
      if (notRedeemed) return notRedeemedText(notRedeemed)
      return text ?? (isRefusalCode(code) ? refusals[code].msg() : '')
    },
    registrationId,
    name: ticket?.name ?? null,
    checkin: null,
    extrasPurchase: (ticket && purchases.find(({ id }) => id === act.extrasPurchaseId)) ?? null,
  }
}
