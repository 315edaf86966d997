import type { Event } from '../../contract/events.ts'
import type { EventRow } from '../db/schema.ts'
import { renderDescription } from './render-description.ts'

/** The row in the contract's shape. */
export function toEvent(row: EventRow): Event {
  return { ...row, descriptionHtml: renderDescription(row.description) }
}
