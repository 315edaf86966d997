import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { boardApi } from '../../src/contract/board.ts'
import { checkinApi } from '../../src/contract/checkins.ts'
import { doorApi, type QueuedScan } from '../../src/contract/door.ts'
import { eventApi } from '../../src/contract/events.ts'
import type { Registration } from '../../src/contract/registrations.ts'
import { ticketUrl } from '../../src/contract/values/ticket-codes.ts'
import { makeFixture, makeRegistration, scanOf } from '../support/make.ts'
import { refusalOf } from '../support/outcomes.ts'
import { BASE_URL, startApp, type TestApp } from '../support/start-app.ts'
import { verify } from '../support/verify.ts'

const MINUTE = 60_000
let app: TestApp
let fixture: Awaited<ReturnType<typeof makeFixture>>
let ada: Registration
beforeEach(async () => {
  app = await startApp()
  fixture = await makeFixture(app, { allowsReentry: true })
  ada = await makeRegistration(app, fixture.event)
})
afterEach(async () => {
  await verify(app.deps.db)
  await app.stop()
})

const [gateA, gateB] = [
  { id: 'aaaa', name: 'Gate A' },
  { id: 'bbbb', name: 'Gate B' },
]

const later = (ms: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + ms)
}

function scan(direction: 'in' | 'out', fields: Partial<QueuedScan> = {}): QueuedScan {
  const act = { kind: 'code' as const, qrCodeData: ticketUrl(BASE_URL, ada), direction }
  return { scanId: randomUUID(), act, agoMs: 0, wasShownIn: false, ...fields }
}
const undo = (scanId: string): QueuedScan => ({
  ...{ scanId: randomUUID(), act: { kind: 'undo', scanId }, agoMs: 0, wasShownIn: false },
})
async function sync(scans: QueuedScan[], device = gateA) {
  const payload = { eventId: fixture.event.id, device, scans }
  return (await app.call(doorApi.syncScans, { payload }, fixture.token)).answers
}
const codes = async (...scans: QueuedScan[]) => (await sync(scans)).map(({ code }) => code)
async function onList() {
  const { tickets } = await app.call(doorApi.getDoorList, { eventId: fixture.event.id }, fixture.token)
  const { in: first, out } = tickets[0] ?? {}
  return { isIn: first !== null, out }
}
const conflicts = () => app.call(doorApi.getConflicts, { eventId: fixture.event.id }, fixture.token)
const board = () => app.call(boardApi.getBoard, { eventId: fixture.event.id }, fixture.token)

test('whoever was let in goes out and comes back, as often as they want; arrivals are counted once', async () => {
  expect(await codes(scan('in'))).toEqual([null])
  later(MINUTE)
  const [out] = await sync([scan('out')])
  expect(out).toMatchObject({ code: null, checkin: { status: true, isOut: true, movedAt: app.clock.now } })
  expect(await onList()).toEqual({ isIn: true, out: app.clock.now })
  expect(await board()).toMatchObject({ inside: 1, outside: 1 })
  later(MINUTE)
  const [back] = await sync([scan('in')])
  expect(back).toMatchObject({ code: null, checkin: { isOut: false, movedAt: app.clock.now } })
  expect(await onList()).toEqual({ isIn: true, out: undefined })
  expect(await codes(scan('out'), scan('in'), scan('out'))).toEqual([null, null, null])
  expect(await board()).toMatchObject({ inside: 1, outside: 1, lately: 1 })
  const input = { registrationId: ada.id, eventId: fixture.event.id }
  const timeline = await app.call(attendeeApi.getTimeline, input, fixture.token)
  expect(timeline.map(({ text }) => text)).toEqual(expect.arrayContaining(['Went out', 'Came back in']))
})

test('nobody comes in twice, goes out twice, or goes out who was not let in', async () => {
  expect(await codes(scan('out'), scan('in'), scan('in'), scan('out'), scan('out'))).toEqual([
    'NOT_INSIDE',
    null,
    'ALREADY_CHECKED_IN',
    null,
    'NOT_INSIDE',
  ])
  // The other call for scans lets them in again too, once.
  await app.call(checkinApi.scanByRegistrationId, scanOf(ada), fixture.token)
  await refusalOf(app.call(checkinApi.scanByRegistrationId, scanOf(ada), fixture.token), 'ALREADY_CHECKED_IN')
})

test('a scan that is sent again is the same movement, and one that is taken back leaves things as they were before', async () => {
  await codes(scan('in'))
  later(MINUTE)
  const out = scan('out')
  expect(await codes(out)).toEqual([null])
  later(MINUTE)
  const back = scan('in')
  expect(await codes(back, out)).toEqual([null, null])
  expect(await onList()).toEqual({ isIn: true, out: undefined })
  // Somebody has moved since.
  expect(await codes(undo(out.scanId))).toEqual(['ILLEGAL_TRANSITION'])
  expect(await codes(undo(back.scanId))).toEqual([null])
  expect((await onList()).out).toEqual(new Date(app.clock.now.getTime() - MINUTE))
  expect(await codes(undo(out.scanId))).toEqual([null])
  expect(await onList()).toEqual({ isIn: true, out: undefined })
  // Out again since, which is another movement.
  later(MINUTE)
  const first = scan('out')
  await codes(first, scan('in'))
  later(MINUTE)
  await codes(scan('out'))
  expect(await codes(undo(first.scanId))).toEqual(['ILLEGAL_TRANSITION'])
})

test('two phones without network let somebody back in: one movement and one conflict; an exit that comes late changes nothing', async () => {
  await codes(scan('in'), scan('out'))
  later(10 * MINUTE)
  const shown = { wasShownIn: true }
  expect((await sync([scan('in', { ...shown, agoMs: 5 * MINUTE })], gateA))[0]?.code).toBeNull()
  expect((await sync([scan('in', { ...shown, agoMs: 4 * MINUTE })], gateB))[0]?.code).toBe('ALREADY_CHECKED_IN')
  expect(await conflicts()).toMatchObject([{ code: 'ALREADY_CHECKED_IN', scan: { device: 'Gate B' } }])
  expect(await codes(scan('out', { ...shown, agoMs: 6 * MINUTE }))).toEqual([null])
  expect(await onList()).toEqual({ isIn: true, out: undefined })
  expect(await conflicts()).toHaveLength(1)
})

test('where re-entry is off nobody is scanned out or let in again; a check-in that is undone forgets the movements', async () => {
  await codes(scan('in'), scan('out'))
  await app.call(eventApi.save, { id: fixture.event.id, allowsReentry: false }, fixture.token)
  expect(await codes(scan('in'), scan('out'))).toEqual(['ALREADY_CHECKED_IN', 'ILLEGAL_TRANSITION'])
  const newCheckin = { registrationId: ada.id, status: false }
  await app.call(checkinApi.save, { payload: { newCheckin, eventId: fixture.event.id } }, fixture.token)
  expect(await onList()).toEqual({ isIn: false, out: undefined })
  expect(await codes(scan('in'))).toEqual([null])
  expect(await onList()).toEqual({ isIn: true, out: undefined })
})
