import { batchedLookup, byId, grouped } from '../db/batched-lookup.ts'
import type { ClubRow, EventRow, ExtrasRow, FormQuestionRow } from '../db/schema.ts'
import { runStatement, statement } from '../db/statement.ts'

// Reads that many visitors ask for at the same moment. Each result may go to several of them: it must not be changed.

/** An event with the stored HTML of its description. */
export interface ReadEvent extends EventRow {
  /** Null where none is stored. */
  html: string | null
  /** SHA-256 of the Markdown that the HTML was made of, in hex. */
  htmlOf: string | null
}

const columns = 'e.*, d.html, d.hash as html_of'

const events = statement<ReadEvent>(
  'read events',
  `
  select ${columns} from events e left join event_descriptions d on d.event_id = e.id and d.language = ''
  where e.id = any($1::int[]) and e.removed_at is null
  `,
)

/** An event, unless it is removed. */
export const readEvent = batchedLookup<number, ReadEvent>(async (db, ids) => byId(await runStatement(db, events(ids))))

const clubs = statement<ClubRow>('read clubs', 'select * from clubs where id = any($1::int[]) and removed_at is null')

/** A club, unless it is removed. */
export const readClub = batchedLookup<number, ClubRow>(async (db, ids) => byId(await runStatement(db, clubs(ids))))

/** The questions that these events ask, in their order. */
export const questionsOf = statement<FormQuestionRow>(
  'read questions',
  'select * from form_questions where event_id = any($1::int[]) and removed_at is null order by position, id',
)

/** The questions that an event asks, in their order; undefined for none. */
export const readQuestions = batchedLookup<number, FormQuestionRow[]>(async (db, ids) =>
  grouped(await runStatement(db, questionsOf(ids)), ({ eventId }) => eventId),
)

interface VoucherOnSale extends ExtrasRow {
  /** The event's. */
  currency: string
}

const vouchersOnSale = statement<VoucherOnSale>(
  'read vouchers on sale',
  `
  select x.*, (select currency from events where id = x.event_id) as currency from extras x
  where x.event_id = any($1::int[]) and x.removed_at is null order by x.position, x.id
  `,
)

/** The vouchers on sale for an event, in their order; undefined for none. */
export const readVouchersOnSale = batchedLookup<number, VoucherOnSale[]>(async (db, ids) =>
  grouped(await runStatement(db, vouchersOnSale(ids)), ({ eventId }) => eventId),
)

const activeEvents = statement<EventRow & { asked: number }>(
  'read active events',
  `
  select e.*, asked.n as asked from unnest($1::int[], $2::timestamptz[]) with ordinality as asked (club_id, after, n)
  cross join lateral (
    select * from events e
    where e.club_id = asked.club_id and e.status = 'published' and e.removed_at is null and e.ends_at > asked.after
  ) e
  order by asked.n, e.starts_at, e.id
  `,
)

const readActive = batchedLookup<string, EventRow[]>(async (db, keys) => {
  const asked = keys.map((key) => key.split(' ').map(Number))
  const rows = await runStatement(
    db,
    activeEvents(
      asked.map(([clubId]) => clubId),
      asked.map(([, after = 0]) => new Date(after)),
    ),
  )
  return grouped(rows, ({ asked: n }) => keys[n - 1] ?? '')
})

/** Published events of a club that end after the moment, soonest first. */
export async function readActiveEvents(
  db: Parameters<typeof readActive>[0],
  clubId: number,
  after: Date,
): Promise<readonly EventRow[]> {
  return (await readActive(db, `${clubId} ${after.getTime()}`)) ?? []
}
