import { Refusal } from '../../../contract/errors.ts'
import * as texts from '../../../texts/generated/api.ts'
import type { OrderPlacing } from '../../places/place-queries.ts'
import type { CheckedPerson } from './check-request.ts'

type Refused = Exclude<OrderPlacing, { outcome: 'saved' }>

/** Somebody with an address that is not the contact's is registered already: whose it is is not told, since strangers may ask. */
export class CompanionRegistered extends Refusal {
  readonly email: string

  constructor(email: string) {
    super('ALREADY_REGISTERED', { msg: texts.companionSentAgain })
    this.email = email
  }
}

/** Why an order gets no seats. It names the person that it is about, and how many places or tickets are left for all. */
export function refusalOfOrder(
  { outcome, person, leftOfEvent, leftOfType }: Refused,
  people: readonly CheckedPerson[],
): Refusal {
  const { name = '', email = '', type, isOnlyType = true } = people[person] ?? {}
  const at = (field: string, msg: () => string) =>
    person === 0 ? {} : { fields: [{ path: `companions.${person - 1}.registrationData.${field}`, msg }] }
  switch (outcome) {
    case 'duplicate':
      if (email.toLowerCase() !== people[0]?.email.toLowerCase()) return new CompanionRegistered(email)
      return new Refusal(
        'ALREADY_REGISTERED',
        at('name', () => texts.companionRegistered({ name })),
      )
    case 'too many':
      return new Refusal(
        'EMAIL_LIMIT',
        at('email', () => texts.companionOverLimit({ name })),
      )
    case 'type sold out': {
      const left = Math.max(0, leftOfType ?? 0)
      if (isOnlyType || !type) return noPlaces(left)
      const payload = { left, ticketTypeId: type.id }
      return new Refusal('SOLD_OUT', { payload, msg: () => texts.ticketsLeft({ name: type.name, count: left }) })
    }
    case 'sold out':
      return noPlaces(Math.max(0, leftOfEvent ?? 0))
  }
}

function noPlaces(left: number): Refusal {
  const payload = { left, ticketTypeId: null }
  return new Refusal('SOLD_OUT', { payload, ...(left > 0 && { msg: () => texts.placesLeft({ count: left }) }) })
}
