import { randomUUID } from 'node:crypto'
import type { Companion } from '../../src/contract/registrations.ts'

type Given = Partial<Omit<Companion, 'registrationData'>> & Partial<Companion['registrationData']>

/** Somebody to register together with others. */
export function companion({
  ticketTypeId,
  extrasIds = [],
  name = `Child ${randomUUID()}`,
  ...data
}: Given = {}): Companion {
  return {
    ...(ticketTypeId !== undefined && { ticketTypeId }),
    extrasIds,
    registrationData: { name, email: '', phone: '', others: [], ...data },
  }
}
