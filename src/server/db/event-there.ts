import { sql } from 'kysely'

/** For queries of registrations: whether their event exists. A removed one does not, though its rows may still be there. */
export const isEventThere = sql<boolean>`exists (
  select from events where events.id = registrations.event_id and events.removed_at is null
)`
