import type { PhoneQuota } from '../../../contract/door.ts'
import { walkInApi } from '../../../contract/walk-ins.ts'
import { call } from '../../api/call.ts'
import { type Door, emit, setWalkIns } from '../phone/door.ts'
import { changeWalkIns } from './walk-in-store.ts'
import { toConfirm, type WalkIns, withQuota } from './walk-ins.ts'

/** How many people this phone has added, and how many of them are not answered yet: as it was when the server was asked. */
export function walkInsNow({ walkIns, queue, adding }: Door): { made: number; waiting: number } {
  const queued = queue.filter(({ act }) => act.kind === 'walk-in').length
  return { made: walkIns?.made ?? 0, waiting: queued + adding }
}

/** The doors whose places are being applied: an answer that comes meanwhile is left out, since the next one follows soon. */
const underWay = new WeakSet<Door>()

/**
 * Takes over the places that the server says this phone keeps, and gives back those that it is to give back: first it notes on its disk that
 * it gives them to nobody, then it confirms.
 */
export async function applyQuota(door: Door, quota: PhoneQuota, asked: ReturnType<typeof walkInsNow>): Promise<void> {
  if (underWay.has(door)) return
  underWay.add(door)
  try {
    const walkIns = await keep(door, quota, asked)
    const granted = toConfirm(walkIns)
    if (granted === null) return
    const { eventId, device } = door
    const payload = { eventId, device: { id: device.id, name: device.name }, granted }
    const asking = walkInsNow(door)
    await keep(door, await call(walkInApi.confirmWalkInPlaces, { payload }, { quiet: true, background: true }), asking)
  } finally {
    underWay.delete(door)
  }
}

/** Stores it, and then shows it. Fails if it cannot be stored: then nothing is confirmed. */
async function keep(door: Door, quota: PhoneQuota, asked: ReturnType<typeof walkInsNow>): Promise<WalkIns> {
  const stored = await changeWalkIns(door.eventId, (before) => {
    const now = walkInsNow(door)
    const made = before?.made ?? 0
    const isSettled = now.waiting === 0 && asked.waiting === 0 && made === asked.made
    return withQuota(before, quota, { waiting: now.waiting, isSettled })
  })
  if (!stored) throw new Error('The places were not stored.')
  if (JSON.stringify(stored) !== JSON.stringify(door.walkIns)) {
    setWalkIns(door, stored)
    emit(door)
  }
  return stored
}
