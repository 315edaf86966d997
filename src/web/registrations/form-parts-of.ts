import type { ComponentProps, ComponentType } from 'react'
import type { Event } from '../../contract/event.ts'
import type { Extras } from '../../contract/extras.ts'
import type { TicketType } from '../../contract/ticket-type.ts'
import type * as formParts from './form-parts.ts'

/** What many events do not need; the browser loads it for those that do. */
export type FormParts = { [Name in keyof typeof formParts]: ComponentType<ComponentProps<(typeof formParts)[Name]>> }

interface Sold {
  event: Event
  ticketTypes: readonly TicketType[]
  extras: readonly Extras[]
}

/** Whether the form of an event needs it. */
export function needsFormParts({ event: { codes }, ticketTypes: types, extras }: Sold): boolean {
  return extras.length > 0 || codes !== 'none' || types.length !== 1 || types.some(({ access }) => access !== 'public')
}
