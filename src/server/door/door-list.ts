import { createHash } from 'node:crypto'
import type { DoorList, DoorTicket, doorApi } from '../../contract/door.ts'
import type { Input } from '../../contract/endpoint.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import type { TicketTypeRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { findQuestions } from '../forms/queries.ts'
import { findTicketTypes, typeOf } from '../records/ticket-type-queries.ts'
import { countUnseenConflicts } from '../scans/queries.ts'
import { quotaOf } from '../walk-ins/quotas.ts'
import type { CountTickets } from './count-tickets.ts'
import * as queries from './queries.ts'

/**
 * The list for a phone: all of it, or the changes since the answer that gave this cursor. No change is missed, however the transactions in
 * between overlapped; some may come twice.
 */
export async function doorList(
  { db, now }: Deps,
  countTickets: CountTickets,
  caller: AdminCaller,
  event: OwnEvent,
  { since, phone }: Pick<Input<typeof doorApi.getDoorList>, 'since' | 'phone'>,
): Promise<DoorList> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      // The first read of the transaction: all that follows sees what this snapshot sees.
      const horizon = await queries.findHorizon(tx)
      const { next, beyond, base } = horizon
      const shown = (await findQuestions(tx, [event.id])).filter(({ showAtDoor }) => showAtDoor)
      const types = await findTicketTypes(tx, event.id)
      const hasTypes = types.length > 1
      const form = formKey(
        base,
        shown.map(({ id }) => id),
        hasTypes,
      )
      const from = readCursor(since, form, beyond)
      const rows = await queries.findTickets(tx, event, from, beyond)
      const vouchers = new Map<number, queries.VoucherRow[]>()
      const ids = rows.map(({ id }) => id)
      for (const row of await queries.findVouchers(tx, event, ids))
        vouchers.set(row.registrationId, [...(vouchers.get(row.registrationId) ?? []), row])
      const questionIds = new Set(shown.map(({ id }) => id))
      return {
        cursor: `${next}.${form}`,
        isFull: from === null,
        now: now(),
        event,
        questions: shown.map(({ id, text }) => ({ id, text })),
        ticketTypes: hasTypes ? types.map(({ id, name }) => ({ id, name })) : [],
        tickets: rows.map((row) => toTicket(row, { questionIds, types, vouchers: vouchers.get(row.id) ?? [] })),
        removed: from === null ? [] : await queries.findRemoved(tx, event, from),
        count: await countTickets(tx, event, horizon),
        conflicts: await countUnseenConflicts(tx, event),
        ...(phone !== undefined &&
          caller.permissions.includes('walk-ins') && {
            walkIns: await quotaOf(tx, event, phone, event.maxAttendees !== null),
          }),
      }
    })
}

/** The transaction to list changes from; null for the whole list: without a cursor, with another form, or from another database. */
function readCursor(cursor: string | undefined, form: string, beyond: string): string | null {
  const [, from, of] = /^(\d{1,18})\.([0-9a-f]+)$/.exec(cursor ?? '') ?? []
  if (from === undefined || of !== form) return null
  return BigInt(from) > BigInt(beyond) ? null : from
}

/** Changes with the fields of a ticket, so that phones with a list from before read it anew. */
const FIELDS = 'due type order out former'

/** Other questions mean other answers in every row, and a second ticket type a type in every row, so that the whole list is needed again. */
function formKey(base: string, questionIds: readonly number[], hasTypes: boolean): string {
  return createHash('sha256')
    .update([base, FIELDS, ...(hasTypes ? ['types'] : []), ...questionIds].join(' '))
    .digest('hex')
    .slice(0, 12)
}

interface Around {
  /** The questions that are shown at the door. */
  questionIds: ReadonlySet<number>
  types: readonly TicketTypeRow[]
  vouchers: readonly queries.VoucherRow[]
}

function toTicket(row: queries.TicketRow, { questionIds, types, vouchers }: Around): DoorTicket {
  const { others, isIn, checkinTime, checkedInBy, device, isOut, movedAt, ...rest } = row
  const { amount, currency, ticketTypeId, orderId, former, ...ticket } = rest
  const type = typeOf(types, { ticketTypeId })
  return {
    ...ticket,
    ...(ticket.status === 'pending' && amount > 0 && { due: { amount, currency } }),
    ...(type && { typeId: type.id }),
    ...(orderId !== null && { orderId }),
    vouchers: vouchers.map(({ former, ...voucher }) => ({ ...voucher, ...(former && { former }) })),
    ...(former && { former }),
    ...(isOut && movedAt && { out: movedAt }),
    in: isIn && checkinTime ? { at: checkinTime, by: checkedInBy ?? '', device } : null,
    answers: others
      .filter(({ qId }) => questionIds.has(qId))
      .map(({ qId, answer }) => ({ qId, answer: typeof answer === 'string' ? answer : answer.join(', ') })),
  }
}
