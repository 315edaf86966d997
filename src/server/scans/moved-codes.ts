import type { OwnEvent } from '../access/own-event.ts'
import type { Db } from '../db/schema.ts'
import { isOf, isVoucher, type ScannedCode } from './codes.ts'
import { findMovedCodes } from './moved-code-queries.ts'

/** The codes with the numbers that their tickets and vouchers have here, where they were printed by the server that a club has moved from. */
export async function currentCodes<C extends ScannedCode>(
  db: Db,
  { clubId, hasMovedCodes }: Pick<OwnEvent, 'clubId' | 'hasMovedCodes'>,
  codes: readonly C[],
): Promise<C[]> {
  const printed = codes.filter(({ kind }) => kind !== 'hand')
  if (!hasMovedCodes || printed.length === 0) return [...codes]
  const moved = await findMovedCodes(
    db,
    clubId,
    printed.map(({ id }) => id),
  )
  return codes.map((code) => {
    if (code.kind === 'hand') return code
    const found = moved.find(
      (each) => each.formerId === code.id && isOf(code, each) && (each.kind === 'voucher' || !isVoucher(code)),
    )
    // A short code says itself whether it is a voucher's.
    if (!found || (code.kind === 'short' && found.kind === 'voucher')) return code
    return { ...code, id: found.currentId }
  })
}

/** The same for one code. */
export async function currentCode<C extends ScannedCode>(
  db: Db,
  event: Pick<OwnEvent, 'clubId' | 'hasMovedCodes'>,
  code: C,
): Promise<C> {
  const [current = code] = event.hasMovedCodes ? await currentCodes(db, event, [code]) : []
  return current
}
