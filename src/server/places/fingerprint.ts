import { hash } from 'node:crypto'
import type { Companion, RegistrationData } from '../../contract/registrations.ts'

interface Body {
  eventId: number
  clubId: number
  ticketTypeId?: number | undefined
  registrationData: Pick<RegistrationData, 'name' | 'email' | 'phone' | 'others'>
  extrasIds: readonly number[]
  companions?: readonly Companion[] | undefined
  orderAnswers?: RegistrationData['others']
  code?: string | undefined
  memberId?: string | undefined
}

/** A hash of the request body, to detect a repeated key with a different body. */
export function fingerprintOf(body: Body): string {
  const {
    eventId,
    clubId,
    ticketTypeId,
    registrationData,
    extrasIds,
    companions,
    orderAnswers = [],
    code,
    memberId,
  } = body
  const { name, email, phone, others } = registrationData
  const parts: unknown[] = [eventId, clubId, name, email, dialled(phone), others, extrasIds]
  // As before there were ticket types and orders, where none is named.
  if (ticketTypeId !== undefined || companions) parts.push(ticketTypeId ?? null)
  if (companions)
    parts.push(
      companions.map((one) => {
        const { name, email, phone, others } = one.registrationData
        return [one.ticketTypeId ?? null, name, email, dialled(phone), others, one.extrasIds]
      }),
    )
  if (orderAnswers.length > 0) parts.push({ orderAnswers })
  if (code !== undefined) parts.push({ code })
  if (memberId || companions?.some((one) => one.memberId))
    parts.push({ memberIds: [memberId, ...(companions ?? []).map((one) => one.memberId)] })
  return hash('sha256', JSON.stringify(parts))
}

/** The page writes a number without spaces once it has loaded the rules of phone numbers, maybe only at the second try. */
function dialled(phone: string): string {
  return phone.replace(/[^\d+]/g, '')
}
