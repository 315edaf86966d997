import { tabStore } from '../storage.ts'

// Separate from `draft.ts`, because the page's first script includes this part.

/** A visitor's input by field name. */
export type Draft = Readonly<Record<string, string[]>>

/** The name of the field for the ticket type. */
export const TICKET_TYPE = 'ticket-type'

/** The id of the form that a visitor fills in. */
export const REGISTRATION_FORM = 'registration-form'

/** The storage keys of the draft, the tries and the unpaid registration in this tab. */
export const draftKeyOf = (eventId: number) => `registration-${eventId}`
export const triesKeyOf = (eventId: number) => `${draftKeyOf(eventId)}-tries`
export const unpaidKeyOf = (eventId: number) => `${draftKeyOf(eventId)}-unpaid`
export const keptKeysOf = (eventId: number) => [draftKeyOf(eventId), triesKeyOf(eventId), unpaidKeyOf(eventId)]

export function saveDraft(eventId: number, form: HTMLFormElement): void {
  const values = valuesIn(form)
  // A chosen ticket that cannot be had any more is disabled, so that the form has none. It stays chosen: no other takes its place.
  const chosen = readDraft(eventId)[TICKET_TYPE]
  if (values[TICKET_TYPE] === undefined && chosen) values[TICKET_TYPE] = chosen
  const fields = Object.entries(values).map(([name, values]) => ({ name, values }))
  tabStore.write(draftKeyOf(eventId), JSON.stringify(fields))
}

/** A form's values by field name. */
export function valuesIn(form: HTMLFormElement): Record<string, string[]> {
  const data = new FormData(form)
  return Object.fromEntries(Array.from(new Set(data.keys()), (name) => [name, data.getAll(name).map(String)]))
}

/** The draft stored in this tab; empty if it cannot be read. */
export function readDraft(eventId: number): Draft {
  try {
    const fields: unknown = JSON.parse(tabStore.read(draftKeyOf(eventId)) ?? '[]')
    if (!Array.isArray(fields) || !fields.every(isField)) return {}
    return Object.fromEntries(fields.map(({ name, values }) => [name, values]))
  } catch {
    return {}
  }
}

function isField(value: unknown): value is { name: string; values: string[] } {
  if (typeof value !== 'object' || value === null || !('name' in value) || !('values' in value)) return false
  const { name, values } = value
  return typeof name === 'string' && Array.isArray(values) && values.every((each) => typeof each === 'string')
}
