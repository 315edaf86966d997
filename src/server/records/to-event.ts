import type { Event } from '../../contract/event.ts'
import type { EventRow } from '../db/schema.ts'

/** The row in the contract's shape; without the description's HTML, where nobody shows it. */
export function toEvent(row: EventRow, descriptionHtml = ''): Event {
  return { ...row, descriptionHtml }
}
