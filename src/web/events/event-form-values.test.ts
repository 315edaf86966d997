import { expect, test } from 'vitest'
import { type EventFormValues, newEventValues, toFields } from './event-form-values.ts'

const values: EventFormValues = {
  ...newEventValues({ timeZone: 'Europe/Berlin', currency: 'eur' }),
  name: 'Party',
  startsAt: '2030-06-21T19:00',
  endsAt: '2030-06-21T23:00',
}

test('times are those of the event’s zone, an empty capacity is none', () => {
  const { fields, errors } = toFields(values)
  expect(errors).toEqual([])
  expect(fields).toMatchObject({ startsAt: new Date('2030-06-21T17:00:00Z'), maxAttendees: null, ticketPrice: 0 })
})

test('the limit of places for an e-mail address is a number, and empty means the default of a new event', () => {
  const most = (maxPerEmail: string) => toFields({ ...values, maxPerEmail })
  expect(values.maxPerEmail).toBe('10')
  expect(most(' 4 ').fields.maxPerEmail).toBe(4)
  expect(most('').fields.maxPerEmail).toBe(10)
  expect(most('few').errors).toEqual([{ path: 'maxPerEmail', msg: 'Enter a whole number.' }])
})

test('a price takes a point or a comma; a number that can be read in two ways is not guessed', () => {
  const price = (ticketPrice: string) => toFields({ ...values, ticketPrice })
  expect(price('12,50').fields.ticketPrice).toBe(1250)
  expect(price('12.5').fields.ticketPrice).toBe(1250)
  for (const unclear of ['1,000', '1.000', '12,50,1', 'free', '-1'])
    expect(price(unclear).errors, unclear).toHaveLength(1)
  const capacity = (maxAttendees: string) => toFields({ ...values, maxAttendees })
  expect(capacity(' 1000 ').fields.maxAttendees).toBe(1000)
  for (const unclear of ['1,000', '1.000', '10.5', 'many']) expect(capacity(unclear).errors, unclear).toHaveLength(1)
})
