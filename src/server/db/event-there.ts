import { sql } from 'kysely'

/** For a query of registrations: whether their event is there. One that is removed is not, though its rows may still be. */
export const isEventThere = sql<boolean>`exists (
  select from events where events.id = registrations.event_id and events.removed_at is null
)`
