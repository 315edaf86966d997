import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { attendeeApi } from '../../../contract/attendees.ts'
import { doorApi } from '../../../contract/door.ts'
import { Refusal } from '../../../contract/errors.ts'
import { openDoor, setWalkIns } from '../phone/door.ts'
import { canAddAlone, saveAtDoor } from './save-at-door.ts'
import type { WalkIns } from './walk-ins.ts'

const disk = vi.hoisted(() => ({ walkIns: null as unknown }))
const wish = {
  ...{ eventId: 1, idempotencyKey: 'key', resend: false, extrasIds: [] },
  registrationData: { name: 'Hal', email: '', phone: '', others: [] },
}

vi.mock('../phone/store.ts', () => {
  const nothing = async () => {}
  return {
    ...{ readList: async () => null, readQueue: async () => [], readRecent: async () => [], writeList: nothing },
    ...{ writeRecent: nothing, trimRecent: nothing, addToQueue: async () => 1 },
  }
})
vi.mock('../phone/purge.ts', () => ({ purgePast: async () => {} }))
vi.mock('../others/others-store.ts', () => ({ readOthers: async () => null }))
vi.mock('./walk-in-store.ts', () => ({
  readWalkIns: async () => disk.walkIns,
  changeWalkIns: async (_: number, change: (stored: unknown) => unknown) => {
    const changed = change(disk.walkIns)
    if (changed) disk.walkIns = changed
    return changed
  },
}))
vi.mock('./keep-form.ts', () => ({
  shownForm: () => ({ questions: [], types: [{ id: 1, maxQuantity: null, removedAt: null }], extras: [] }),
}))
const server = vi.hoisted(() => ({
  asked: [] as { call: unknown; reject: (error: unknown) => void; background: boolean }[],
}))
vi.mock('../../api/call.ts', () => ({
  call: (call: unknown, _: unknown, { background = false }: { background?: boolean }) =>
    new Promise((_, reject) => server.asked.push({ call, reject, background })),
}))

const kept = (made: number): WalkIns => {
  const walkIns = { quota: { isLimited: true, granted: 2, used: 1, wanted: 2 }, made }
  disk.walkIns = walkIns
  return walkIns
}

beforeEach(() => {
  server.asked = []
  vi.useFakeTimers()
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('while a phone counts a place too many, somebody is added as soon as it knows better', async () => {
  const door = await openDoor(1)
  setWalkIns(door, kept(2))
  expect(canAddAlone(door)).toBe(false)
  const saved = saveAtDoor(door, wish)
  await vi.advanceTimersByTimeAsync(5_000)
  setWalkIns(door, kept(1))
  await vi.advanceTimersByTimeAsync(5_000)
  await expect(Promise.race([saved, Promise.resolve('waiting')])).resolves.toBeNull()
  expect(door.queue).toHaveLength(1)
  expect(disk.walkIns).toMatchObject({ made: 2 })
  // What the server says to that later is not shown: they are in.
  expect(server.asked[0]).toMatchObject({ call: attendeeApi.save, background: true })
})

test('where the server has no place left, a phone that may keep one asks how many are used', async () => {
  const door = await openDoor(1)
  setWalkIns(door, kept(2))
  const saved = saveAtDoor(door, wish)
  server.asked[0]?.reject(new Refusal('SOLD_OUT'))
  await vi.advanceTimersByTimeAsync(100)
  expect(server.asked.map(({ call }) => call)).toEqual([attendeeApi.save, doorApi.getDoorList])
  setWalkIns(door, kept(1))
  await vi.advanceTimersByTimeAsync(5_000)
  expect(server.asked.at(-1)?.call).toBe(doorApi.syncScans)
  server.asked.at(-1)?.reject(new Refusal('UNAVAILABLE'))
  await expect(saved).rejects.toMatchObject({ code: 'UNAVAILABLE' })
})

test('a phone without places of its own says at once that none is left', async () => {
  const door = await openDoor(1)
  const walkIns = kept(1)
  setWalkIns(door, { ...walkIns, quota: { ...walkIns.quota, used: 2 }, made: 2 })
  const saved = saveAtDoor(door, wish)
  expect(server.asked[0]).toMatchObject({ background: false })
  server.asked[0]?.reject(new Refusal('SOLD_OUT'))
  await expect(saved).rejects.toMatchObject({ code: 'SOLD_OUT' })
})
