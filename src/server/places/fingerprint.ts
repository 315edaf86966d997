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
  const body = JSON.stringify([eventId, clubId, name, email, phone, others, extrasIds])
  return hash('sha256', body)
}
