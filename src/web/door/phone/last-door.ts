import { redirect } from 'react-router'
import { paths } from '../../paths.ts'
import { deviceStore } from '../../storage.ts'

const KEY = 'lastDoor'

/** Notes which door was last open here: the installed app opens with it. */
export function noteLastDoor(eventId: number): void {
  deviceStore.write(KEY, String(eventId))
}

/** Whether a door was ever open here. */
export function hasDoor(): boolean {
  return deviceStore.read(KEY) !== null
}

/** The way of the installed app, also without network: to the door last open here, or to the events. */
export function toLastDoor() {
  const eventId = Number(deviceStore.read(KEY))
  return redirect(Number.isInteger(eventId) && eventId > 0 ? paths.scanner(eventId) : '/dashboard')
}
