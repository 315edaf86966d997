import type { Payload } from '../../../contract/endpoint.ts'
import type { ExtrasPurchase } from '../../../contract/extras.ts'
import type { registrationApi } from '../../../contract/registrations.ts'

export type Ticket = Payload<typeof registrationApi.getRegistration>

/** A voucher's name, with its number where several of the ticket's have the same. */
export function numbered({ id, name }: ExtrasPurchase, all: readonly ExtrasPurchase[]): string {
  const same = all.filter((voucher) => voucher.name === name)
  return same.length === 1 ? name : `${name} ${same.findIndex((voucher) => voucher.id === id) + 1} of ${same.length}`
}
