import { hasDoor } from '../door/phone/last-door.ts'

/** Deletes what the scanner keeps on this device. Its code is loaded only where the scanner was open once. */
export async function deleteDoorLists(): Promise<void> {
  if (!hasDoor()) return
  const { purgeAll } = await import('../door/phone/purge.ts')
  await purgeAll()
}
