import { randomUUID } from 'node:crypto'
import { codeKey } from '../../../contract/codes.ts'
import type { Input } from '../../../contract/endpoint.ts'
import { Refusal } from '../../../contract/errors.ts'
import { phoneFieldFor } from '../../../contract/phone-field.ts'
import type { Companion, RegistrationData, registrationApi } from '../../../contract/registrations.ts'
import { formatPrice, leastPayable, totalOf } from '../../../contract/values/money.ts'
import * as texts from '../../../texts/generated/api.ts'
import type { Language } from '../../../texts/language.ts'
import type { Visitor } from '../../access/visitor.ts'
import type { Members } from '../../club-members/use-members.ts'
import { isOfUse, priceWith } from '../../codes/code-price.ts'
import { codeRefused, unknownCode, whyNotUsable } from '../../codes/code-uses.ts'
import type { CodeRow, EventRow, ExtrasRow, FormQuestionRow, TicketTypeRow } from '../../db/schema.ts'
import { MOST_AMOUNT } from '../../payments/hold.ts'
import { fingerprintOf } from '../../places/fingerprint.ts'
import { HOLD_MS } from '../../places/hold.ts'
import type { NewRegistration } from '../../places/place-queries.ts'
import { storedType } from '../../records/ticket-type-queries.ts'
import { chooseTicketType } from '../../ticket-types/choose-ticket-type.ts'
import { checkPerson, invalidData } from '../check-person.ts'
import { chooseExtras } from './vouchers-wanted.ts'

export type Request = Input<typeof registrationApi.initRegistration>

/** Who asks: staff, who are no `visitor`, have no limits. */
export interface From {
  visitor: Visitor | null
  /** The language that the visitor asks for; null for none of ours, and for staff. */
  language: Language | null
}
export type PaymentWay = { isOn: boolean; isEmbedded: boolean }

/** A request as it waits for its turn. */
export type Waiting = Omit<
  NewRegistration,
  'others' | 'amount' | 'holdExpiresAt' | 'codeId' | 'discount' | 'member'
> & {
  clubId: number
  /** The network address; null when no limits apply. */
  address: string | null
  others: RegistrationData['others']
  /** How many of the answers are their own; the others are those for the order. */
  ownAnswers: number
  extrasIds: number[]
  /** Undefined for somebody alone. */
  companions: readonly Companion[] | undefined
  /** As typed; null for none. */
  code: string | null
  /** Their member number or address as typed; empty for none. */
  memberId: string
}

/** Somebody with phone number, answers and price as stored, and what they want. */
export type CheckedPerson = NewRegistration & {
  wanted: ExtrasRow[]
  type: TicketTypeRow
  /** Whether the event has never had another. */
  isOnlyType: boolean
  address: string | null
}
export type Checked = CheckedPerson & { companions: CheckedPerson[]; people: number }

export function toWaiting(request: Request, { visitor, language }: From): Waiting {
  const { newRegistration, extrasIds, companions, orderAnswers = [], idempotencyKey, code } = request
  const { eventId, clubId, ticketTypeId = null, registrationData, memberId = '' } = newRegistration
  const { name, email, phone, others } = registrationData
  const together = companions?.length ? companions : undefined
  // Named one by one, as below: spreading them costs more than the hash.
  const asked = {
    eventId,
    clubId,
    ticketTypeId: newRegistration.ticketTypeId,
    registrationData,
    memberId: newRegistration.memberId,
    extrasIds,
    companions: together,
    orderAnswers,
    code: code || undefined,
  }
  const fingerprint = idempotencyKey === undefined ? null : fingerprintOf(asked)
  return {
    eventId,
    // The id that was asked for.
    ticketTypeId,
    clubId,
    name,
    email,
    phone,
    others: orderAnswers.length === 0 ? others : [...others, ...orderAnswers],
    ownAnswers: others.length,
    extrasIds,
    companions: together,
    code: code || null,
    memberId,
    qrUuid: randomUUID(),
    idempotencyKey: idempotencyKey ?? null,
    fingerprint,
    address: visitor?.address ?? null,
    isLimited: visitor !== null,
    language,
  }
}

interface Terms {
  event: EventRow
  /** The questions of its form. */
  asked: FormQuestionRow[]
  /** Its ticket types. */
  sold: TicketTypeRow[]
  /** Vouchers of all events of the run. */
  onSale: ExtrasRow[]
  /** The codes of all requests of the run. */
  codes: CodeRow[]
  /** The members typed in them. */
  members: Members
  payment: PaymentWay
  now: Date
}

/** The request as stored, or what is wrong with it. */
export function check(request: Waiting, terms: Terms): Refusal | Checked {
  const { event, payment, now } = terms
  const code = codeOf(request, terms)
  if (code instanceof Refusal) return code
  const first = checkOne(request, terms, firstPlaces, code)
  if (first instanceof Refusal) return first
  const companions: CheckedPerson[] = []
  for (const [index, companion] of (request.companions ?? []).entries()) {
    const checked = checkOne(asWaiting(companion, request), terms, placesOf(index), code)
    if (checked instanceof Refusal) return checked
    companions.push(checked)
  }
  if (code && [first, ...companions].every(({ codeId }) => codeId === null)) return codeRefused(texts.codeOfNoUse)
  const notPerOrder = request.isLimited ? checkPerOrder([first, ...companions]) : null
  if (notPerOrder) return notPerOrder
  const amount = companions.reduce((sum, person) => sum + person.amount, first.amount)
  if (amount > 0 && !payment.isOn) return new Refusal('PAYMENTS_OFF', { msg: texts.noCardPaymentYet })
  if (amount > MOST_AMOUNT)
    return new Refusal('INVALID_INPUT', {
      fields: [{ path: 'extrasIds', msg: texts.tooMuchAtOnce }],
    })
  if (amount > 0 && amount < leastPayable(event.currency))
    return new Refusal('INVALID_INPUT', {
      fields: [
        {
          path: code ? 'code' : 'extrasIds',
          msg: () => texts.leastByCard({ amount: formatPrice(leastPayable(event.currency), event.currency) }),
        },
      ],
    })
  // Whoever of an order has nothing to pay waits for those who have.
  if (amount > 0) for (const person of [first, ...companions]) person.holdExpiresAt = new Date(now.getTime() + HOLD_MS)
  return Object.assign(first, { companions, people: 1 + companions.length })
}

/** The code that came with the request, or why it cannot be used; null for none. */
function codeOf({ code, eventId }: Waiting, { codes, event, now }: Terms): CodeRow | Refusal | null {
  if (code === null) return null
  const found = codes.find((each) => each.eventId === eventId && each.key === codeKey(code))
  return found ? (whyNotUsable(found, event, now) ?? found) : unknownCode()
}

/** Refuses fewer or more tickets of a type than an order may have; the error is that of the first person with one. */
function checkPerOrder(people: readonly CheckedPerson[]): Refusal | null {
  for (const [at, { type }] of people.entries()) {
    const count = people.filter((person) => person.type === type).length
    const { name, minPerOrder, maxPerOrder } = type
    const path = at === 0 ? firstPlaces.type : placesOf(at - 1).type
    if (count < minPerOrder)
      return new Refusal('INVALID_INPUT', {
        fields: [{ path, msg: () => texts.tooFewOfType({ name, count: minPerOrder }) }],
      })
    if (maxPerOrder !== null && count > maxPerOrder)
      return new Refusal('INVALID_INPUT', {
        fields: [{ path, msg: () => texts.tooManyOfType({ name, count: maxPerOrder }) }],
      })
  }
  return null
}

/** The refusal with the errors about answers for the order where those are in the input. */
function atOrderAnswers(refusal: Refusal, { others, ownAnswers }: Pick<Waiting, 'others' | 'ownAnswers'>): Refusal {
  if (others.length === ownAnswers) return refusal
  const fields = refusal.fields.map(({ path, msg }) => {
    const [, index = '', rest = ''] = /^newRegistration\.registrationData\.others\.(\d+)(.*)$/.exec(path) ?? []
    const at = Number(index) - ownAnswers
    return { path: index !== '' && at >= 0 && Number(index) < others.length ? `orderAnswers.${at}${rest}` : path, msg }
  })
  return new Refusal('INVALID_INPUT', { fields, msg: () => refusal.message })
}

/** Where the data of a person are in the input. */
interface Places {
  type: string
  data: string
  extras: string
  member: string
  isCompanion: boolean
}

const firstPlaces: Places = {
  type: 'newRegistration.ticketTypeId',
  data: 'newRegistration.registrationData',
  extras: 'extrasIds',
  member: 'newRegistration.memberId',
  isCompanion: false,
}

function placesOf(index: number): Places {
  const at = `companions.${index}`
  return {
    type: `${at}.ticketTypeId`,
    data: `${at}.registrationData`,
    extras: `${at}.extrasIds`,
    member: `${at}.memberId`,
    isCompanion: true,
  }
}

/** Where the member number of a person is in the input: 0 is whoever registers. */
export const memberPath = (index: number) => (index === 0 ? firstPlaces : placesOf(index - 1)).member

/** A companion in the shape of whoever registers them: without an address of their own they get the contact's. */
function asWaiting({ ticketTypeId, registrationData, extrasIds, memberId = '' }: Companion, contact: Waiting): Waiting {
  const { name, email, phone, others } = registrationData
  return {
    ...contact,
    ...{ ticketTypeId: ticketTypeId ?? null, name, phone, others, ownAnswers: others.length, extrasIds, memberId },
    email: email === '' ? contact.email : email,
    qrUuid: randomUUID(),
    idempotencyKey: null,
    fingerprint: null,
  }
}

/** One person; `amount` is what they cost, whether or not it can be paid. */
function checkOne(
  request: Waiting,
  { event, asked, sold, onSale, members, now }: Terms,
  places: Places,
  code: CodeRow | null,
): Refusal | CheckedPerson {
  const { extrasIds } = request
  const type = chooseTicketType(sold, { id: request.ticketTypeId, path: places.type, now, code })
  if (type instanceof Refusal) return type
  const person = { name: request.name, phone: request.phone, others: request.others }
  const phoneField = phoneFieldFor(event.phoneField, places.isCompanion)
  const { timeZone } = event
  const { isCompanion } = places
  const form = { timeZone, phoneField, questions: asked, ticketTypeId: type.id, isCompanion, isVisitor: true }
  const data = checkPerson(person, form)
  if ('wrong' in data) return atOrderAnswers(invalidData(data, places.data), request)
  const wanted = chooseExtras(extrasIds, onSale, event.id, places.extras)
  if (wanted instanceof Refusal) return wanted
  // Last, so that only whoever could register learns whether somebody is a member.
  const isForMembers = type.access === 'member' && request.isLimited
  const member = isForMembers ? members.memberOf(request.clubId, request.memberId, places.member) : null
  if (member instanceof Refusal) return member
  const { currency } = event
  const price = priceWith(code, type, currency)
  // Named one by one: spreading objects of this size costs as much as all the checks.
  return {
    eventId: request.eventId,
    ticketTypeId: storedType(type),
    name: request.name,
    email: request.email,
    phone: data.phone,
    others: data.others,
    qrUuid: request.qrUuid,
    amount: totalOf(price, wanted),
    codeId: code && isOfUse(code, type, currency) ? code.id : null,
    discount: type.price - price,
    member,
    holdExpiresAt: null,
    idempotencyKey: request.idempotencyKey,
    fingerprint: request.fingerprint,
    language: request.language,
    isLimited: request.isLimited,
    address: request.address,
    wanted,
    type,
    isOnlyType: sold.length === 1,
  }
}
