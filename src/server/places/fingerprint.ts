import { hash } from 'node:crypto'
import type { RegistrationData } from '../../contract/registrations.ts'

interface Body {
  eventId: number
  clubId: number
  ticketTypeId?: number | undefined
  registrationData: Pick<RegistrationData, 'name' | 'email' | 'phone' | 'others'>
  extrasIds: readonly number[]
}

/** A hash of the request body, to detect a repeated key with a different body. */
export function fingerprintOf({ eventId, clubId, ticketTypeId, registrationData, extrasIds }: Body): string {
  const { name, email, phone, others } = registrationData
  // The page writes a number without spaces once it has loaded the rules of phone numbers, maybe only at the second try.
  const dialled = phone.replace(/[^\d+]/g, '')
  const parts = [eventId, clubId, name, email, dialled, others, extrasIds]
  // As before there were ticket types, where none is named.
  const body = JSON.stringify(ticketTypeId === undefined ? parts : [...parts, ticketTypeId])
  return hash('sha256', body)
}
