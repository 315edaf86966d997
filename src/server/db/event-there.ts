import { sql } from 'kysely'

/**
 * For queries of registrations: whether their event exists. A removed one does not, though its rows may still be there. A value
 * rather than `exists`, because joined with a table that was never analysed, PostgreSQL would walk all registrations of the event for these ids.
 */
export const isEventThere = sql<boolean>`(
  select events.removed_at is null from events where events.id = registrations.event_id
)`
