import type { PhoneQuota } from '../../../contract/door.ts'
import { walkInApi } from '../../../contract/walk-ins.ts'
import { call } from '../../api/call.ts'
import { type Door, emit, setWalkIns } from '../phone/door.ts'
import { writeWalkIns } from './walk-in-store.ts'
import { toConfirm, type WalkIns, withQuota } from './walk-ins.ts'

/** How many people this phone has added, and how many of them wait to be sent: as it was when the server was asked. */
export function walkInsNow({ walkIns, queue }: Door): { made: number; waiting: number } {
  return { made: walkIns?.made ?? 0, waiting: queue.filter(({ act }) => act.kind === 'walk-in').length }
}

/**
 * Takes over the places that the server says this phone keeps, and gives back those that it is to give back: first it notes on its disk that
 * it gives them to nobody, then it confirms.
 */
export async function applyQuota(door: Door, quota: PhoneQuota, asked: ReturnType<typeof walkInsNow>): Promise<void> {
  const now = walkInsNow(door)
  const isSettled = now.waiting === 0 && asked.waiting === 0 && now.made === asked.made
  const walkIns = withQuota(door.walkIns, quota, { waiting: now.waiting, isSettled })
  if (!(await keep(door, walkIns))) return
  const granted = toConfirm(walkIns)
  if (granted === null) return
  const { eventId, device } = door
  const payload = { eventId, device: { id: device.id, name: device.name }, granted }
  const confirmed = await call(walkInApi.confirmWalkInPlaces, { payload }, { quiet: true, background: true })
  // Somebody may have been added meanwhile.
  const { made } = door.walkIns ?? walkIns
  await keep(door, { quota: confirmed, made })
}

/** Sets and stores it. Returns whether it is on the disk; otherwise the phone gives nothing away and confirms nothing. */
async function keep(door: Door, walkIns: WalkIns): Promise<boolean> {
  if (JSON.stringify(walkIns) === JSON.stringify(door.walkIns)) return true
  setWalkIns(door, walkIns)
  emit(door)
  return writeWalkIns(door.eventId, walkIns).then(
    () => true,
    () => false,
  )
}
