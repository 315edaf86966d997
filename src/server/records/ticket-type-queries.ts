import { type RawBuilder, sql } from 'kysely'
import { saleState, type TypeOfTicket } from '../../contract/ticket-type.ts'
import { batchedLookup, grouped } from '../db/batched-lookup.ts'
import type { Db, RegistrationRow, TicketTypeRow } from '../db/schema.ts'
import { runStatement, statement } from '../db/statement.ts'

/** All ticket types that these events have or had: those on sale in their order, then those taken off sale. */
export const ticketTypesOf = statement<TicketTypeRow>(
  'read ticket types',
  `
  select * from ticket_types where event_id = any($1::int[]) order by removed_at is not null, position, id
  `,
)

/** The same for several readers at once. Each result may go to several of them: it must not be changed. */
export const readTicketTypes = batchedLookup<number, TicketTypeRow[]>(async (db, ids) =>
  grouped(await runStatement(db, ticketTypesOf(ids)), ({ eventId }) => eventId),
)

export async function findTicketTypes(db: Db, eventId: number): Promise<TicketTypeRow[]> {
  return runStatement(db, ticketTypesOf([eventId]))
}

/** The type of a registration among those of its event; null where the event has never had another. */
export function typeOf(
  types: readonly TicketTypeRow[],
  { ticketTypeId }: Pick<RegistrationRow, 'ticketTypeId'>,
): TypeOfTicket | null {
  if (types.length < 2) return null
  const type = ownType(types, ticketTypeId)
  return type ? { id: type.id, name: type.name } : null
}

/** The row of a registration's type. */
export function ownType(types: readonly TicketTypeRow[], ticketTypeId: number | null): TicketTypeRow | undefined {
  return types.find(({ id, isFirst }) => (ticketTypeId === null ? isFirst : id === ticketTypeId))
}

/** Whether a registration's type is still sold. */
export function isSold(
  types: readonly TicketTypeRow[],
  { ticketTypeId }: Pick<RegistrationRow, 'ticketTypeId'>,
  now: Date,
): boolean {
  const type = ownType(types, ticketTypeId)
  return type !== undefined && type.removedAt === null && saleState(type, now) === null
}

/** The condition that a registration of this event is of this type. Which one is the first is asked once, not for every row. */
export function isOfTicketType(
  registration: RawBuilder<unknown>,
  eventId: number,
  typeId: number,
): RawBuilder<unknown> {
  const isFirst = sql`(select t.is_first from ticket_types t where t.id = ${typeId} and t.event_id = ${eventId})`
  return sql`(${registration}.ticket_type_id = ${typeId} or ${registration}.ticket_type_id is null and ${isFirst})`
}

/** What a registration of this type stores: nothing for the first one. */
export function storedType({ id, isFirst }: Pick<TicketTypeRow, 'id' | 'isFirst'>): number | null {
  return isFirst ? null : id
}

/** How many types an event sells. */
export async function countTicketTypes(db: Db, eventId: number): Promise<number> {
  const { count } = await db
    .selectFrom('ticketTypes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('eventId', '=', eventId)
    .where('removedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The highest price of the types that an event sells, also of those that not everybody can buy. */
export async function highestPrice(db: Db, eventId: number): Promise<number> {
  const { rows } = await sql<{ price: number | null }>`
    select max(price) as price from ticket_types where event_id = ${eventId} and removed_at is null
  `.execute(db)
  return rows[0]?.price ?? 0
}
