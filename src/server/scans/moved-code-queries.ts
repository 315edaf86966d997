import { sql } from 'kysely'
import type { Db } from '../db/schema.ts'

interface MovedCode {
  kind: 'ticket' | 'voucher'
  formerId: number
  currentId: number
  /** Its secret; of a ticket that was handed on, also those before. */
  qrUuid: string
}

/** The tickets and vouchers of a club that had one of these numbers on another server, and whoever may have had them there. */
export async function findMovedCodes(db: Db, clubId: number, formerIds: readonly number[]): Promise<MovedCode[]> {
  const { rows } = await sql<MovedCode>`
    with moved as (
      select kind, former_id, current_id from moved_codes where club_id = ${clubId} and former_id = any(${formerIds}::int[])
    )
    select m.*, r.qr_uuid from moved m join registrations r on r.id = m.current_id where m.kind = 'ticket'
    union all
    select m.*, f.qr_uuid from moved m join former_holders f on f.registration_id = m.current_id where m.kind = 'ticket'
    union all
    select m.*, p.qr_uuid from moved m join extras_purchases p on p.id = m.current_id where m.kind = 'voucher'
  `.execute(db)
  return rows
}

/** Which of these are numbers that tickets of the club had on another server. */
export async function findFormerNumbers(db: Db, clubId: number, ids: readonly number[]): Promise<number[]> {
  const rows = await db
    .selectFrom('movedCodes')
    .select('formerId')
    .where('clubId', '=', clubId)
    .where('kind', '=', 'ticket')
    .where('formerId', '=', sql<number>`any(${ids}::int[])`)
    .execute()
  return rows.map(({ formerId }) => formerId)
}

/** Where the page of a ticket, voucher or order is that had this number on another server; null where there is none with this secret. */
export async function findMovedPage(
  db: Db,
  kind: 'qr' | 'order',
  { id, secret }: { id: number; secret: string },
): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select m.current_id as id from moved_codes m
    where m.former_id = ${id} and case m.kind
      when 'ticket' then ${kind} = 'qr' and (
        exists (select from registrations r where r.id = m.current_id and r.qr_uuid::text = ${secret})
        or exists (select from former_holders f where f.registration_id = m.current_id and f.qr_uuid::text = ${secret})
      )
      when 'voucher' then ${kind} = 'qr'
        and exists (select from extras_purchases p where p.id = m.current_id and p.qr_uuid::text = ${secret})
      else ${kind} = 'order' and exists (select from orders o where o.id = m.current_id and o.secret::text = ${secret})
    end limit 1
  `.execute(db)
  return rows[0]?.id ?? null
}
