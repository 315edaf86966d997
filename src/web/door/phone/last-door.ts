import * as paths from '../../paths.ts'
import { deviceStore } from '../../storage.ts'

const KEY = 'lastDoor'

/** Stores which door was last open here, because the installed app opens with it. */
export function noteLastDoor(eventId: number): void {
  deviceStore.write(KEY, String(eventId))
}

/** Whether a door was ever open here. */
export function hasDoor(): boolean {
  return deviceStore.read(KEY) !== null
}

/** Where the installed app opens, also without network: the door last open here, or the dashboard. */
export function lastDoorPath(): string {
  const eventId = Number(deviceStore.read(KEY))
  return Number.isInteger(eventId) && eventId > 0 ? paths.scanner(eventId) : paths.dashboard
}
