import { type RawBuilder, sql } from 'kysely'

/** A limit of a table that would otherwise grow for ever. */
export interface Rule {
  table: string
  /** The rows that are deleted; `before` is so many days ago. */
  which: (before: Date) => RawBuilder<unknown>
  days: number
}

/**
 * How long the rows of each log are kept. What else expires goes with its own time (sessions, links, counts: `auth/sweep.ts`), its event or club,
 * or its person (`queries.ts`).
 */
export const rules: readonly Rule[] = [
  {
    table: 'mails',
    which: (before) => sql`created_at < ${before} and status <> 'queued'`,
    days: 400,
  },
  { table: 'changes', which: (before) => sql`at < ${before}`, days: 10 * 365 },
  // After that a phone's scan may be sent again without its first answer.
  { table: 'scans', which: (before) => sql`received_at < ${before}`, days: 90 },
  { table: 'scan_conflicts', which: (before) => sql`noted_at < ${before}`, days: 400 },
  {
    table: 'removed_tickets',
    which: (before) => sql`event_id in (select id from events where ends_at < ${before})`,
    days: 30,
  },
  // Stripe sends one again for three days at most.
  {
    table: 'stripe_events',
    which: (before) => sql`received_at < ${before} and handled_at is not null`,
    days: 90,
  },
  // Also those that a paused webhook has not fetched.
  { table: 'webhook_deliveries', which: (before) => sql`created_at < ${before}`, days: 30 },
  // Of a file that was not sent to its end.
  {
    table: 'club_imports',
    which: (before) => sql`state = 'sending' and began_at < ${before}`,
    days: 1,
  },
  { table: 'sign_in_places', which: (before) => sql`last_used_at < ${before}`, days: 400 },
  { table: 'mail_addresses', which: (before) => sql`greatest(day_start, proven_at) < ${before}`, days: 400 },
]

/** How many days a mail stays in the outbox folder. */
export const OUTBOX_DAYS = 30
