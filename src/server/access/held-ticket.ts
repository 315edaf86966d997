import { timingSafeEqual } from 'node:crypto'
import * as z from 'zod/mini'
import type { Access, HolderUse } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import type { Permission } from '../../contract/permissions.ts'
import { formerTicket } from '../../contract/tickets.ts'
import type { Db, RegistrationRow } from '../db/schema.ts'
import { limitHolder } from '../limits/limit-holder.ts'
import type { Limiting, Origin } from '../limits/limit-tries.ts'
import type { RuleName } from '../limits/rules.ts'
import { findClub } from '../records/club-queries.ts'
import { findEvent } from '../records/event-queries.ts'
import { findOrderKey, type OrderKey } from '../records/order-queries.ts'
import { checkNotErased, findFormerHolders, findRegistration } from '../records/registration-queries.ts'
import { findVoucherCodes } from '../records/voucher-queries.ts'
import { type Caller, may, worksOn } from './caller.ts'
import { idAt, valueAt } from './value-at.ts'

declare const proven: unique symbol
/** A ticket whose secret the caller knows, or that staff of its club may read without. Only `proveHolder` makes one. */
export type HeldTicket = RegistrationRow & { readonly [proven]: true }
type Voucher = Awaited<ReturnType<typeof findVoucherCodes>>[number]
/** A voucher whose secret the caller knows. Only `proveHolder` makes one. */
export type HeldVoucher = Voucher & { readonly [proven]: true }
/** An order whose secret the caller knows. Only `proveHolder` makes one. */
export type HeldOrder = OrderKey & { readonly [proven]: true }

type HolderAccess = Extract<Access, { who: 'holder' }>

interface From extends Origin {
  caller: Caller | null
}

const limitFor: Record<HolderUse, RuleName> = {
  read: 'tickets read by network',
  'get a file': 'ticket files by network',
  change: 'tickets changed by network',
  pay: 'checkouts by network',
}

/**
 * Proves that the caller holds the ticket, voucher or order of the input, within the limits. Refuses with NOT_FOUND, for a wrong secret as for
 * an id that does not exist, with TICKET_HANDED_ON for a ticket's former code, and with TOO_MANY_TRIES.
 */
export async function proveHolder(server: Limiting, access: HolderAccess, from: From, input: unknown) {
  const path = 'ticket' in access ? access.ticket : 'order' in access ? access.order : access.voucher
  const id = idAt(input, path)
  const secret = valueAt(input, path.replace(/[^.]+$/, 'order' in access ? 'secret' : 'qrUuid'))
  return limitHolder(server, limitFor[access.to], from, async () => {
    if (id === null) throw new Refusal('NOT_FOUND')
    if ('order' in access) return { order: await heldOrder(server.db, id, secret) }
    return 'ticket' in access
      ? { ticket: await heldTicket(server.db, id, secret, { caller: from.caller, staff: access.staff }) }
      : { voucher: await heldVoucher(server.db, id, secret) }
  })
}

interface Claim {
  caller: Caller | null
  /** The permission with which staff need no secret; undefined: they always need it. */
  staff: Permission | undefined
}

/** A secret that is given must match, for staff too: a made-up code must not look valid on their phones. */
async function heldTicket(db: Db, id: number, secret: unknown, { caller, staff }: Claim): Promise<HeldTicket> {
  const ticket = await findRegistration(db, id)
  const event = ticket && { id: ticket.eventId, clubId: ticket.clubId }
  const isOwn = staff !== undefined && event !== undefined && worksOn(caller, event) && may(caller, staff)
  // Its secret is gone as well, so whoever has the old link is told why.
  if (ticket && !(isOwn && secret === undefined)) checkNotErased(ticket)
  const isHeld = secret === undefined ? isOwn : isSame(ticket?.qrUuid, secret)
  if (!ticket || !isHeld) throw await noTicket(db, id, ticket, secret)
  // The proof is made here, and for vouchers and orders below.
  return ticket as HeldTicket
}

/** Whoever still has a code from before the ticket was handed on is told why it is void, and of which event it was. */
async function noTicket(db: Db, id: number, ticket: RegistrationRow | undefined, secret: unknown): Promise<Refusal> {
  const former = secret === undefined ? [] : await findFormerHolders(db, [id])
  if (!ticket || !former.some(({ qrUuid }) => isSame(qrUuid, secret))) return new Refusal('NOT_FOUND')
  const [event, club] = await Promise.all([findEvent(db, ticket.eventId), findClub(db, ticket.clubId)])
  // The rows hold more than whoever has a void code may read.
  const payload = event && club && z.encode(formerTicket, { club, event })
  return new Refusal('TICKET_HANDED_ON', { payload })
}

async function heldVoucher(db: Db, id: number, secret: unknown): Promise<HeldVoucher> {
  const [voucher] = await findVoucherCodes(db, [id])
  if (!voucher || !isSame(voucher.qrUuid, secret)) throw new Refusal('NOT_FOUND')
  // As for tickets, above.
  return voucher as HeldVoucher
}

async function heldOrder(db: Db, id: number, secret: unknown): Promise<HeldOrder> {
  const order = await findOrderKey(db, id)
  if (!order || !isSame(order.secret, secret)) throw new Refusal('NOT_FOUND')
  // As for tickets, above.
  return order as HeldOrder
}

/** Whether this is the secret, compared in constant time. */
function isSame(secret: string | undefined, claimed: unknown): boolean {
  if (secret === undefined || typeof claimed !== 'string') return false
  const [a, b] = [Buffer.from(secret), Buffer.from(claimed.toLowerCase())]
  return a.length === b.length && timingSafeEqual(a, b)
}
