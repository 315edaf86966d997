import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { DoorList, DoorTicket } from '../../../contract/door.ts'
import { openDoor, updateAnsweredTicket } from './door.ts'
import { syncNow } from './sync.ts'

const server = vi.hoisted(() => ({ asked: [] as (string | undefined)[], answer: [] as ((list: unknown) => void)[] }))
const at = new Date('2026-11-27T18:00:00Z')
const event = {
  ...{ id: 1, name: 'Party', location: '', timeZone: 'Europe/Berlin', status: 'published' as const },
  ...{ startsAt: at, endsAt: new Date('2026-11-27T22:00:00Z') },
}
const ticket: DoorTicket = {
  ...{ id: 7, name: 'Ada', status: 'confirmed', hash: '', short: '', in: null, answers: [], vouchers: [] },
}
const admission = { at, by: 'Ana', device: 'Bar' }

vi.mock('./store.ts', () => {
  const nothing = async () => {}
  return {
    ...{ readList: async () => null, readQueue: async () => [], readRecent: async () => [], writeList: nothing },
  }
})

vi.mock('../../api/call.ts', () => ({
  call: (_: unknown, { since }: { since?: string }) => {
    server.asked.push(since)
    return new Promise((resolve) => server.answer.push(resolve))
  },
}))

function changes(cursor: string, isFull: boolean, tickets: DoorTicket[]): DoorList {
  return { cursor, isFull, tickets, event, questions: [], removed: [], count: 1, conflicts: 0, now: new Date() }
}

beforeEach(() => {
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
})
afterEach(() => vi.unstubAllGlobals())

test('changes requested before a scan was answered are fetched once more', async () => {
  const door = await openDoor(1)
  const sync = async (answered: DoorList, meanwhile = () => {}) => {
    const syncing = syncNow(door)
    await vi.waitFor(() => expect(server.answer).toHaveLength(1))
    meanwhile()
    server.answer.pop()?.(answered)
    await syncing
  }
  await sync(changes('1.a', true, [ticket]))
  // The scan is answered while changes are loading; another phone takes the check-in back before the server reads them.
  await sync(changes('2.b', false, [ticket]), () => updateAnsweredTicket(door, 7, { in: admission }))
  expect(door.list?.tickets.get(7)?.in).toEqual(admission)
  await sync(changes('2.b', false, [ticket]))
  expect(door.list?.tickets.get(7)?.in).toBeNull()
  await sync(changes('3.c', false, []))
  expect(server.asked).toEqual([undefined, '1.a', '1.a', '2.b'])
})

test('a scan that is answered while the whole list is on its way counts, though the list is older', async () => {
  server.asked = []
  const door = await openDoor(1)
  const syncing = syncNow(door)
  await vi.waitFor(() => expect(server.answer).toHaveLength(1))
  updateAnsweredTicket(door, 7, { in: admission })
  server.answer.pop()?.(changes('1.a', true, [ticket]))
  await syncing
  expect(door.list?.tickets.get(7)?.in).toEqual(admission)
})
