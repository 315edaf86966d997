import { hash } from 'node:crypto'
import type { RegistrationData } from '../../contract/registrations.ts'

interface Body {
  eventId: number
  clubId: number
  registrationData: Pick<RegistrationData, 'name' | 'email' | 'phone' | 'others'>
  extrasIds: readonly number[]
}

/** What tells whether a key that comes again comes with the same body. */
export function fingerprintOf({ eventId, clubId, registrationData, extrasIds }: Body): string {
  const { name, email, phone, others } = registrationData
  // The page writes a number without spaces as soon as it has the rules of phone numbers, maybe only at the second try.
  const dialled = phone.replace(/[^\d+]/g, '')
  const body = JSON.stringify([eventId, clubId, name, email, dialled, others, extrasIds])
  return hash('sha256', body)
}
