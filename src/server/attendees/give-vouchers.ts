import { Refusal } from '../../contract/errors.ts'
import type { AdminCaller } from '../access/caller.ts'
import { logRegistration } from '../db/changes.ts'
import type { ExtrasRow, RegistrationRow, Tx } from '../db/schema.ts'
import { insertPurchases, type NewPurchase } from '../extras/queries.ts'
import { chooseExtras, stockOf } from '../registrations/register/vouchers-wanted.ts'

/** The vouchers on sale that staff give out by these ids, or why they cannot. The event's row must be locked. */
export function chooseGiven(extrasIds: readonly number[], onSale: ExtrasRow[], eventId: number): readonly ExtrasRow[] {
  const wanted = chooseExtras(extrasIds, onSale, eventId, 'payload.extrasIds')
  if (wanted instanceof Refusal) throw wanted
  const short = stockOf(wanted).whyNot(wanted)
  if (short) throw short
  return wanted
}

/** Gives these vouchers to an attendee. They are paid on the spot, not through us. */
export async function giveVouchers(
  tx: Tx,
  now: Date,
  caller: AdminCaller,
  registration: RegistrationRow,
  wanted: readonly ExtrasRow[],
): Promise<void> {
  if (wanted.length === 0) return
  await insertPurchases(tx, free(registration.id, wanted))
  const counts = new Map<string, number>()
  for (const { name } of wanted) counts.set(name, (counts.get(name) ?? 0) + 1)
  const units = [...counts].map(([name, count]) => ({ name, count }))
  await logRegistration(tx, now, registration, { userId: caller.id, action: 'vouchers given', after: { units } })
}

function free(registrationId: number, wanted: readonly ExtrasRow[]): NewPurchase[] {
  return wanted.map((extras) => ({ registrationId, extras: { ...extras, price: 0 } }))
}
