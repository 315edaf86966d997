import { hasDoor } from '../door/phone/last-door.ts'

/** Deletes the scanner's data on this device. Its code is loaded only where a scanner was ever opened. */
export async function deleteDoorLists(): Promise<void> {
  if (!hasDoor()) return
  const { purgeAll } = await import('../door/phone/purge.ts')
  await purgeAll()
}
