import { type RawBuilder, sql } from 'kysely'

// The planner's statistics can be older than an event, or missing. It then expects no rows, or few, with the event's id, and reads all of
// them by any index that begins with it, although only a few are asked for. What is here keeps it from that; `test/api/keys.test.ts` counts
// what is read.

/**
 * For a query by an event's id and a second column of an index: the id, unknown when the query is planned. So as many rows are expected as
 * an event has on average.
 */
export function unplanned(eventId: number): RawBuilder<number> {
  return sql<number>`(select ${eventId}::int)`
}

/** The same for several events. With the second cast it is an array rather than a query whose rows are compared. */
export function anyUnplanned(eventIds: readonly number[]): RawBuilder<number> {
  return sql<number>`any((select ${eventIds}::int[])::int[])`
}

/** For a query by ids of rows: the column that says which event or club they have to be of, as a value that no index has. */
export function hidden(column: string): RawBuilder<number> {
  return sql<number>`${sql.ref(column)} + 0`
}

/**
 * For queries of registrations: whether their event exists. A removed one does not, though its rows may still be there. A value
 * rather than `exists`, so that it is not joined before the registrations are found.
 */
export const isEventThere = sql<boolean>`(
  select events.removed_at is null from events where events.id = registrations.event_id
)`
