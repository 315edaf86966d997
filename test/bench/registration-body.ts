import type { Event } from '../../src/contract/event.ts'

let counter = 0

/** Makes the body of a free registration of somebody new for the event, with so many companions. */
export function registrationBody({ id: eventId, clubId }: Pick<Event, 'id' | 'clubId'>, companions = 0): string {
  const n = ++counter
  const registrationData = {
    name: `Visitor ${n}`,
    email: `visitor${n}@example.org`,
    phone: '+49 30 1234567',
    others: [],
  }
  const others = Array.from({ length: companions }, (_, at) => ({
    registrationData: { name: `Companion ${at} of ${n}`, email: '', phone: '', others: [] },
    extrasIds: [],
  }))
  return JSON.stringify({
    newRegistration: { eventId, clubId, registrationData },
    extrasIds: [],
    idempotencyKey: `key-${n}`,
    ...(companions > 0 && { companions: others }),
  })
}
