import { redirect } from 'react-router'
import { paths } from '../paths.ts'

const KEY = 'lastDoor'

/** Notes which door was last open here: the installed app opens with it. */
export function noteLastDoor(eventId: number): void {
  localStorage.setItem(KEY, String(eventId))
}

/** Whether a door was ever open here. */
export function hasDoor(): boolean {
  return localStorage.getItem(KEY) !== null
}

/** The way of the installed app, also without network: to the door last open here, or to the events. */
export function toLastDoor() {
  const eventId = Number(localStorage.getItem(KEY))
  return redirect(Number.isInteger(eventId) && eventId > 0 ? paths.scanner(eventId) : '/dashboard')
}
