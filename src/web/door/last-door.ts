import { redirect } from 'react-router'
import { paths } from '../paths.ts'

const KEY = 'lastDoor'

/** Notes which door was last open here: the installed app opens with it. */
export function noteLastDoor(eventId: number): void {
  try {
    localStorage.setItem(KEY, String(eventId))
  } catch {
    // Blocked or full: the installed app opens with the events instead.
  }
}

/** Whether a door was ever open here. */
export function hasDoor(): boolean {
  return lastDoor() !== null
}

/** The way of the installed app, also without network: to the door last open here, or to the events. */
export function toLastDoor() {
  const eventId = Number(lastDoor())
  return redirect(Number.isInteger(eventId) && eventId > 0 ? paths.scanner(eventId) : '/dashboard')
}

function lastDoor(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}
