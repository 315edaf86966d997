import type { TicketType } from '../../contract/ticket-type.ts'
import { tabStore } from '../storage.ts'

// Separate from `draft.ts`, because the page's first script includes this part.

/** A visitor's input by field name. */
export type Draft = Readonly<Record<string, string[]>>

/** The name of the field for the ticket type. */
export const TICKET_TYPE = 'ticket-type'

/** The name of the field for a code, and of its part in the page's address. */
export const CODE = 'code'

/** The name of the field for a member number. */
export const MEMBER = 'member'

/** A code that is in use, and the ticket types that can be had with it. */
export interface UsedCode {
  code: string
  types: readonly TicketType[]
}

/** What the names of a companion's fields begin with. */
export const companionPrefix = (person: number) => `person-${person}-`

/** The companions that are in a draft, by their numbers in the names of its fields. */
export function companionsIn(draft: Draft): number[] {
  return Object.keys(draft)
    .flatMap((name) => /^person-(\d+)-name$/.exec(name)?.[1] ?? [])
    .map(Number)
}

/** The id of the form that a visitor fills in. */
export const REGISTRATION_FORM = 'registration-form'

/** The storage keys of the draft, the tries and the unpaid registration in this tab. */
export const draftKeyOf = (eventId: number) => `registration-${eventId}`
export const triesKeyOf = (eventId: number) => `${draftKeyOf(eventId)}-tries`
export const unpaidKeyOf = (eventId: number) => `${draftKeyOf(eventId)}-unpaid`
export const keptKeysOf = (eventId: number) => [draftKeyOf(eventId), triesKeyOf(eventId), unpaidKeyOf(eventId)]

/** Stores the input. `companions` are those that the form has, whose fields may still be loading; left out, all that are in the draft. */
export function saveDraft(eventId: number, form: HTMLFormElement, companions?: readonly number[]): void {
  const values = valuesIn(form)
  const before = readDraft(eventId)
  const loading = (companions ?? companionsIn(before))
    .map(companionPrefix)
    .filter((prefix) => values[`${prefix}name`] === undefined)
  for (const [name, kept] of Object.entries(before))
    if (loading.some((prefix) => name.startsWith(prefix))) values[name] = kept
  // A chosen ticket that cannot be had any more is disabled, so that the form has none. It stays chosen: no other takes its place.
  const chosen = before[TICKET_TYPE]
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
