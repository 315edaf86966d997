import { createHash } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { doorApi } from '../../src/contract/door.ts'
import type { Event } from '../../src/contract/event.ts'
import { hashedElsewhere } from '../../src/contract/values/ticket-codes.ts'
import { makeClub, makeEvent, makeFixture, makePass, makeRegistration } from '../support/make.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
beforeEach(async () => {
  app = await startApp()
})
afterEach(() => app.stop())

const DAY = 24 * 60 * 60_000
const ask = (event: Event, token: string) => app.call(doorApi.getOtherTickets, { eventId: event.id }, token)
const daysAfter = ({ startsAt, endsAt }: Event, days: number) => ({
  startsAt: new Date(startsAt.getTime() + days * DAY),
  endsAt: new Date(endsAt.getTime() + days * DAY),
})

/** The marks as numbers. */
function marksOf({ marks }: { marks: string }): number[] {
  const bytes = Buffer.from(marks, 'base64')
  return Array.from({ length: bytes.length / 4 }, (_, n) => bytes.readUInt32BE(4 * n))
}

function markOf(ticket: { id: number; qrUuid: string }, position: number): number {
  return (createHash('sha256').update(hashedElsewhere(ticket)).digest().readUInt32BE() ^ position) >>> 0
}

test('a phone gets marks of the tickets of the club’s published events around its own, each with its event', async () => {
  const { sudo, event, token } = await makeFixture(app)
  const near = await makeEvent(app, token, { name: 'Concert', ...daysAfter(event, 1) })
  const far = await makeEvent(app, token, { name: 'Ball', ...daysAfter(event, -3) })
  const beyond = await makeEvent(app, token, { name: 'Too late', ...daysAfter(event, 4) })
  const cancelledLater = await makeRegistration(app, near)
  const foreign = await makeClub(app, sudo.token)
  const [own, first, second, late, stranger] = [
    await makeRegistration(app, event),
    await makeRegistration(app, near),
    await makeRegistration(app, far),
    await makeRegistration(app, beyond),
    await makeRegistration(app, await makeEvent(app, foreign.token, { name: 'Of strangers' })),
  ]
  const payload = { id: cancelledLater.id, eventId: near.id, status: 'cancelled' as const }
  await app.call(attendeeApi.updateStatus, { payload }, token)
  await makeEvent(app, token, { name: 'Draft', status: 'draft' })

  const answer = await ask(event, token)
  expect(answer.events).toEqual([
    { name: 'Concert', startsAt: near.startsAt, timeZone: near.timeZone },
    { name: 'Ball', startsAt: far.startsAt, timeZone: far.timeZone },
  ])
  const marks = marksOf(answer)
  expect(marks).toContain(markOf(first, 0))
  expect(marks).toContain(markOf(second, 1))
  for (const ticket of [own, late, stranger, cancelledLater])
    for (const position of [0, 1]) expect(marks).not.toContain(markOf(ticket, position))
})

test('neither the number of tickets nor a secret can be read off, and a helper pass gets nothing else', async () => {
  const { event, token } = await makeFixture(app)
  const { session } = await makePass(app, event, token)
  const minuteLater = () => {
    app.clock.now = new Date(app.clock.now.getTime() + 60_000)
  }
  expect(await ask(event, session)).toEqual({ events: [], marks: '' })
  minuteLater()
  const near = await makeEvent(app, token, { name: 'Concert', ...daysAfter(event, 1) })
  const none = await ask(event, session)
  const tickets = [await makeRegistration(app, near), await makeRegistration(app, near)]
  // Phones that ask within a minute get the same answer.
  expect(await ask(event, session)).toEqual(none)
  minuteLater()
  const some = await ask(event, session)
  expect(some).toEqual(await ask(event, session))
  for (const { marks } of [none, some]) expect(Buffer.from(marks, 'base64')).toHaveLength(256 * 4)
  const sorted = marksOf(some)
  expect(sorted).toEqual([...sorted].sort((a, b) => a - b))
  // All but two of the marks of no ticket are still there: what is new says nothing about how many there were.
  expect(marksOf(none).filter((mark) => sorted.includes(mark))).toHaveLength(254)
  const text = JSON.stringify(some)
  for (const { qrUuid, registrationData } of tickets)
    for (const secret of [qrUuid.slice(0, 8), registrationData.name, registrationData.email])
      expect(text).not.toContain(secret)
})
