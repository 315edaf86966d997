import { beforeEach, expect, test, vi } from 'vitest'
import type { QueuedScan, ScanAnswer } from '../../../contract/door.ts'
import { Refusal } from '../../../contract/errors.ts'
import { askServer, askUntilAnswered } from './ask-server.ts'
import { decideByHand } from './decide.ts'
import { type Door, openDoor } from './door.ts'
import { sendQueue } from './send-queue.ts'

type Reply = (scans: readonly QueuedScan[]) => Partial<ScanAnswer>[]
const server = vi.hoisted<{ asked: QueuedScan[]; reply: Reply }>(() => ({ asked: [], reply: () => [] }))
const SCAN = '1b4e28ba-2fa1-4d3b-883f-0016d3cca427'
const byHand = { kind: 'hand' as const, registrationId: 7 }
const nothing = { code: null, msg: '', registrationId: null, name: null, checkin: null, extrasPurchase: null }

vi.mock('../../api/call.ts', () => ({
  call: async (_: unknown, { payload: { scans } }: { payload: { scans: QueuedScan[] } }) => {
    server.asked.push(...scans)
    const answers = server.reply(scans)
    return { answers: answers.map((answer, n) => ({ ...nothing, scanId: scans[n]?.scanId ?? '', ...answer })) }
  },
}))
vi.mock('./store.ts', () => {
  const nobody = async () => []
  const done = async () => {}
  return {
    ...{ readList: async () => null, readQueue: nobody, readRecent: nobody, listedEvents: nobody },
    ...{ writeList: done, writeRecent: done, trimRecent: done, removeFromQueue: done, purgePeople: done },
    addToQueue: async () => 1,
  }
})

let door: Door
beforeEach(async () => {
  server.asked = []
  door = await openDoor(1)
  door.connection = 'online'
})

const fail = (code: 'UNAVAILABLE' | 'NOT_ALLOWED' | 'NOT_FOUND' | 'INVALID_INPUT') => () => {
  throw new Refusal(code)
}

test('a question is a scan that was not shown as valid yet, under its own scanId', async () => {
  server.reply = () => [{ code: null, name: 'Ana' }]
  expect(await askServer(door, byHand, SCAN)).toMatchObject({ scanId: SCAN, code: null, name: 'Ana' })
  expect(server.asked).toEqual([{ scanId: SCAN, act: byHand, agoMs: 0, wasShownIn: false }])
  server.reply = () => [{ code: 'TICKET_CANCELLED', msg: 'This ticket has been cancelled.' }]
  expect(await askServer(door, byHand, SCAN)).toMatchObject({ code: 'TICKET_CANCELLED' })
})

test('a scan that the server cannot read is refused; any other failure counts as no answer', async () => {
  server.reply = fail('INVALID_INPUT')
  expect(await askServer(door, byHand, SCAN)).toMatchObject({ code: 'INVALID_INPUT', name: null, checkin: null })
  expect(door.connection).toBe('online')
  server.reply = () => []
  expect(await askServer(door, byHand, SCAN)).toBeNull()
  for (const code of ['UNAVAILABLE', 'INTERNAL', 'TOO_MANY_TRIES']) {
    server.reply = () => [{ code, msg: 'Not now.' }]
    expect(await askServer(door, byHand, SCAN)).toBeNull()
  }
  expect(door.connection).toBe('online')
  server.reply = fail('UNAVAILABLE')
  expect(await askServer(door, byHand, SCAN)).toBeNull()
  expect(door.connection).toBe('offline')
  server.reply = fail('NOT_ALLOWED')
  expect(await askServer(door, byHand, SCAN)).toBeNull()
  expect(door.isGone).toBe(true)
})

test('a refusal of the whole call is not a verdict on the ticket: it is about the event or the phone', async () => {
  server.reply = () => {
    throw new Refusal('INVALID_INPUT', { fields: [{ path: 'payload.device.name', msg: 'Too long.' }] })
  }
  expect(await askServer(door, byHand, SCAN)).toBeNull()
  expect(door.isGone).toBe(false)
  server.reply = fail('NOT_FOUND')
  expect(await askServer(door, byHand, SCAN)).toBeNull()
  expect(door.isGone).toBe(true)
})

test('an unanswered question is asked again under the same scanId', async () => {
  vi.useFakeTimers()
  server.reply = () => (server.asked.length < 3 ? [{ code: 'UNAVAILABLE' }] : [{ name: 'Ana' }])
  const answer = askUntilAnswered(door, byHand, SCAN, askServer(door, byHand, SCAN))
  await vi.advanceTimersByTimeAsync(3_000)
  expect(await answer).toMatchObject({ code: null, name: 'Ana' })
  expect(server.asked.map(({ scanId }) => scanId)).toEqual([SCAN, SCAN, SCAN])
  vi.useRealTimers()
})

test('a scan that was shown as valid stays in the queue until the server has decided it', async () => {
  const at = new Date()
  const ticket = { id: 7, name: 'Ana', status: 'confirmed' as const, hash: '', short: '', in: null, answers: [] }
  const event = {
    id: 1,
    name: '',
    location: '',
    timeZone: 'UTC',
    status: 'published' as const,
    startsAt: at,
    endsAt: at,
  }
  const tickets = new Map([[7, { ...ticket, vouchers: [] }]])
  door.list = { cursor: '', event, questions: [], conflicts: 0, tickets, readAt: at }
  door.connection = 'offline'
  expect(await decideByHand(door, 7)).toMatchObject({ kind: 'in', name: 'Ana' })
  server.reply = () => [{ code: 'UNAVAILABLE', msg: 'Not now.' }]
  await expect(sendQueue(door)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  expect(door.queue).toMatchObject([{ ticketId: 7, wasShownIn: true }])
  server.reply = () => [{}]
  await sendQueue(door)
  expect(door.queue).toEqual([])
  expect(new Set(server.asked.map(({ scanId }) => scanId)).size).toBe(1)
})
