import { randomUUID } from 'node:crypto'
import { CompiledQuery, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Event } from '../../src/contract/event.ts'
import { ownClub } from '../../src/server/access/own-club.ts'
import { findByCheckin, findForSheet } from '../../src/server/attendees/queries.ts'
import { findWithCounts } from '../../src/server/attendees/search-queries.ts'
import { countMemberTickets } from '../../src/server/club-members/queries.ts'
import { hasUsedCodes } from '../../src/server/codes/queries.ts'
import { connect } from '../../src/server/db/connect.ts'
import { inRush } from '../../src/server/db/locks.ts'
import type { Db, Tx } from '../../src/server/db/schema.ts'
import { runStatement } from '../../src/server/db/statement.ts'
import { findForCodes, findTickets, haveTicketsChanged } from '../../src/server/door/queries.ts'
import { claimDueMails, joinByAddress } from '../../src/server/mail/claim-queries.ts'
import { extendLeases, markSent, wantTicketMails } from '../../src/server/mail/queries.ts'
import { holdUnasked } from '../../src/server/mail/state-queries.ts'
import { findRecords } from '../../src/server/personal-data/queries.ts'
import { HOLD_MS } from '../../src/server/places/hold.ts'
import { type NewRegistration, placeRegistrations } from '../../src/server/places/place-queries.ts'
import { endedHolds } from '../../src/server/places/release-queries.ts'
import {
  countLive,
  findLiveTwin,
  findOwnRegistrations,
  findRegistrations,
  lockedTickets,
  lockRegistrations,
} from '../../src/server/records/registration-queries.ts'
import { findByKeys } from '../../src/server/registrations/queries.ts'
import { lockScan, mayReleasePlaces } from '../../src/server/scans/queries.ts'
import { callerAt } from '../support/caller-at.ts'
import { makeEvent, makeFixture } from '../support/make.ts'
import { addGuests, blocksRead, rowsRead } from '../support/read-counts.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

test('a batch is placed by indexes with a plan that was made while the table was small', async () => {
  const app = await startApp()
  const db = connect(app.databaseUrl, { isPatient: true })
  try {
    const { event } = await makeFixture(app, { maxPerEmail: 3 })
    await sql`alter table registrations set (autovacuum_enabled = false)`.execute(db)
    await db.transaction().execute(async (tx) => {
      await runStatement(tx, inRush())
      // The plan of the third use is kept for the fourth.
      const pair = { eventId: event.id, idempotencyKey: 'key' }
      for (const name of ['Ada', 'Ben', 'Chen']) {
        await findByKeys(tx, [pair])
        await placeRegistrations(tx, [placed(event, name)], app.clock.now)
      }
      await addGuests(tx, event, 2_000)
      const people = Array.from({ length: 8 }, (_, n) => placed(event, `Late ${n}`))
      const before = await rowsRead(tx)
      expect(await findByKeys(tx, [pair])).toEqual([])
      const readByKeys = (await rowsRead(tx)) - before
      const placings = await placeRegistrations(tx, people, app.clock.now)
      expect(placings.filter(({ outcome }) => outcome === 'saved')).toHaveLength(8)
      expect((await rowsRead(tx)) - before).toBeLessThanOrEqual(4 * 8)
      expect(readByKeys).toBe(0)
    })
  } finally {
    await db.destroy()
    await app.stop()
  }
})

describe.each([
  { state: 'never analysed', prepare: async () => {} },
  { state: 'analysed before the event', prepare: analyseOthers },
])('in tables that were $state', ({ prepare }) => {
  let app: TestApp
  /** Without a limit of time, because adding thousands takes long on a busy machine. */
  let db: Db

  beforeAll(async () => {
    app = await startApp()
    db = connect(app.databaseUrl, { isPatient: true })
    for (const table of ['registrations', 'mails', 'checkins', 'scans'])
      await sql`alter table ${sql.table(table)} set (autovacuum_enabled = false)`.execute(db)
    await prepare(app, db)
  })

  afterAll(async () => {
    await db.destroy()
    await app.stop()
  })

  test('the keys of a full batch are looked up by the index', async () => {
    const { event } = await makeFixture(app)
    const pairs = Array.from({ length: 256 }, (_, n) => ({ eventId: event.id, idempotencyKey: `key-${n + 1}` }))
    await db.transaction().execute(async (tx) => {
      await sql`
        insert into registrations (event_id, club_id, qr_uuid, name, email, phone, others, search_text, registration_time,
          status, amount, currency, idempotency_key, fingerprint)
        select ${event.id}, ${event.clubId}, gen_random_uuid(), 'Visitor ' || n, 'visitor' || n || '@example.org', '+49301234567',
          '[]', '', now(), 'confirmed', 0, 'eur', 'key-' || n, 'print'
        from generate_series(1, 5000) n
      `.execute(tx)
      const before = await rowsRead(tx)
      expect(await findByKeys(tx, pairs)).toHaveLength(256)
      expect((await rowsRead(tx)) - before).toBeLessThanOrEqual(2 * 256)
    })
  })

  test('tickets are locked by their ids', async () => {
    const { event } = await makeFixture(app)
    await db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ id: number }>`
        insert into registrations (event_id, club_id, qr_uuid, name, email, phone, others, search_text, registration_time,
          status, amount, currency)
        select ${event.id}, ${event.clubId}, gen_random_uuid(), 'Guest ' || n, '', '', '[]', 'guest ' || n, now(), 'confirmed', 0, 'eur'
        from generate_series(1, 20000) n returning id
      `.execute(tx)
      const ids = rows.filter((_, n) => n % 2000 === 0).map(({ id }) => id)
      await runStatement(tx, inRush())
      const { text } = lockedTickets(ids)
      const plan = CompiledQuery.raw(`explain (analyze, buffers, format json) ${text}`, [ids])
      const { rows: plans } = await tx.executeQuery<Record<string, [{ Plan: { 'Shared Hit Blocks': number } }]>>(plan)
      const [answer] = Object.values(plans[0] ?? {})
      expect(answer?.[0].Plan['Shared Hit Blocks']).toBeLessThanOrEqual(ids.length * 10)
    })
  })

  test('holds that have ended are found without reading the others', async () => {
    const [{ event }, other] = [await makeFixture(app), await makeFixture(app)]
    const { now } = app.clock
    const addHolds = (tx: Tx, count: number, until: Date, { id, clubId } = event) =>
      sql`
        insert into registrations (event_id, club_id, qr_uuid, name, email, phone, others, search_text, registration_time,
          status, amount, currency, hold_expires_at)
        select ${id}, ${clubId}, gen_random_uuid(), 'Guest', '', '', '[]', '', now(), 'pending', 500, 'eur', ${until}
        from generate_series(1, ${count}::int)
      `.execute(tx)
    await db.transaction().execute(async (tx) => {
      await addHolds(tx, 4000, new Date(now.getTime() + HOLD_MS))
      await addHolds(tx, 3, new Date(now.getTime() - 1))
      // Written while a clock was ahead by a day.
      await addHolds(tx, 1, new Date(now.getTime() + 24 * 60 * 60_000))
      for (const until of [new Date(now.getTime() - 1), new Date(now.getTime() + 24 * 60 * 60_000)])
        await addHolds(tx, 2, until, other.event)
      await runStatement(tx, inRush())
      const before = await rowsRead(tx)
      expect(await runStatement(tx, endedHolds([event.id], now))).toHaveLength(4)
      expect((await rowsRead(tx)) - before).toBeLessThanOrEqual(3 * 8)
    })
  })

  test('a full batch is placed by indexes with generic plans', async () => {
    const { event } = await makeFixture(app, { maxPerEmail: 3 })
    await db.transaction().execute(async (tx) => {
      await addGuests(tx, event, 20_000)
      await runStatement(tx, inRush())
      // Twice, because the first plan of a statement tells nothing.
      for (const turn of ['first', 'second']) {
        const people = Array.from({ length: 256 }, (_, n) => placed(event, `${turn}${n}`))
        const before = await rowsRead(tx)
        const placings = await placeRegistrations(tx, people, app.clock.now)
        expect(placings.filter(({ outcome }) => outcome === 'saved')).toHaveLength(256)
        expect((await rowsRead(tx)) - before).toBeLessThanOrEqual(4 * 256)
      }
      const { rows } = await sql<{ plans: string }>`
        select sum(custom_plans) as plans from pg_prepared_statements where name like 'place registrations %'
      `.execute(tx)
      expect(Number(rows[0]?.plans)).toBe(0)
    })
  })

  test('an empty mail queue is found empty without reading the mails that were sent', async () => {
    const { event } = await makeFixture(app)
    const { now } = app.clock
    await db.transaction().execute(async (tx) => {
      await addGuests(tx, event, 20_000)
      await tx.deleteFrom('mails').where('status', '=', 'queued').execute()
      await sql`
        insert into mails (club_id, registration_id, kind, status, run_at, created_at, sent_at)
        select club_id, id, 'ticket', 'sent', ${now}, ${now}, ${now} from registrations where event_id = ${event.id}
      `.execute(tx)
      const before = await blocksRead(tx, 'mails')
      const claim = { now, leaseMs: 15_000, longestGapMs: 60_000, limit: 20, pace: null, lastClubId: 7 }
      expect(await claimDueMails(tx, claim)).toEqual({ mails: [], isProbe: false, lastClubId: 7 })
      expect((await blocksRead(tx, 'mails')) - before).toBeLessThanOrEqual(50)
    })
  })

  test('mails to one address are joined by indexes', async () => {
    const { event } = await makeFixture(app)
    const { now } = app.clock
    await db.transaction().execute(async (tx) => {
      await addGuests(tx, event, 20_000)
      // The first person has three tickets.
      await sql`update registrations set email = 'GUEST1@example.org' where event_id = ${event.id} and name in ('Guest 2', 'Guest 3')`.execute(
        tx,
      )
      await sql`
        insert into mails (club_id, registration_id, kind, run_at, created_at)
        select club_id, id, 'ticket', ${now}, ${now} from registrations where event_id = ${event.id} order by id
      `.execute(tx)
      const taken = await tx
        .updateTable('mails')
        .set({ attempts: 1 })
        .where('id', 'in', (eb) =>
          eb.selectFrom('mails').select('id').where('clubId', '=', event.clubId).orderBy('id').limit(20),
        )
        .returningAll()
        .execute()
      const before = { registrations: await blocksRead(tx, 'registrations'), mails: await blocksRead(tx, 'mails') }
      const claimed = await joinByAddress(tx, taken, now)
      expect(claimed.filter(({ followers }) => followers.length > 0)).toEqual([
        expect.objectContaining({ followers: [expect.anything(), expect.anything()] }),
      ])
      expect(claimed).toHaveLength(18)
      for (const table of ['registrations', 'mails'] as const)
        expect((await blocksRead(tx, table)) - before[table], table).toBeLessThanOrEqual(12 * taken.length)
      // Counted against the limits of their addresses, those found again, and a code of a paper list looked up.
      const ids = taken.map(({ id }) => id)
      const registrationIds = taken.flatMap(({ registrationId }) => registrationId ?? [])
      const rows = ids.map((id) => ({ id, leadId: id }))
      // A change of a row is written to each of its indexes.
      const changing = 40 * ids.length
      const ways = [
        { name: 'hold unasked', most: changing, work: () => holdUnasked(tx, rows, now) },
        { name: 'renew leases', most: changing, work: () => extendLeases(tx, ids, now) },
        { name: 'note as sent', most: changing, work: () => markSent(tx, [{ ids, at: now }]) },
        { name: 'find again', most: 30, work: () => wantTicketMails(tx, [event.id], 'guest77@example.org', now) },
        { name: 'find for codes', most: 40, work: () => findForCodes(tx, event.clubId, registrationIds) },
      ]
      for (const { name, most, work } of ways) {
        const start = (await blocksRead(tx, 'registrations')) + (await blocksRead(tx, 'mails'))
        await work()
        const end = (await blocksRead(tx, 'registrations')) + (await blocksRead(tx, 'mails'))
        expect(end - start, name).toBeLessThanOrEqual(most)
      }
    })
  })

  test('somebody who is registered already is found by the index', async () => {
    const { event, token } = await makeFixture(app)
    const own = (await callerAt(app, token, event)).own
    await db.transaction().execute(async (tx) => {
      await addGuests(tx, event, 5000)
      await sql`update registrations set member = name, qr_uuid = gen_random_uuid() where event_id = ${event.id} and name = 'Guest 77'`.execute(
        tx,
      )
      const since = String(
        (await sql<{ xid: string }>`select pg_current_xact_id()::text as xid`.execute(tx)).rows[0]?.xid,
      )
      const { now } = app.clock
      const ways = {
        'a twin': async () =>
          expect(await findLiveTwin(tx, event.id, { name: 'GUEST 77', email: 'Guest77@example.org' })).toMatchObject({
            name: 'Guest 77',
          }),
        'an address': async () => expect(await countLive(tx, event.id, 'Guest77@example.org')).toBe(1),
        'a member': async () =>
          expect(await countMemberTickets(tx, event.id, ['Guest 77'])).toMatchObject([{ count: 1 }]),
        codes: async () => expect(await hasUsedCodes(tx, event.id)).toBe(false),
        'ended holds': async () => expect(await runStatement(tx, endedHolds([event.id], now))).toEqual([]),
        'changed tickets': async () => expect(await findTickets(tx, own, since, '9999999999')).toHaveLength(1),
        'whether tickets changed': async () => expect(await haveTicketsChanged(tx, own, since)).toBe(true),
      }
      for (const [name, find] of Object.entries(ways)) {
        const before = await blocksRead(tx, 'registrations')
        await find()
        expect((await blocksRead(tx, 'registrations')) - before, name).toBeLessThanOrEqual(30)
      }
    })
  })

  test('a scan is found by its id', async () => {
    const { event } = await makeFixture(app)
    await db.transaction().execute(async (tx) => {
      const [scanId = ''] = await addScans(tx, event, 20_000)
      const before = await blocksRead(tx, 'scans')
      expect(await lockScan(tx, event.id, scanId)).toMatchObject({ scanId })
      expect(await mayReleasePlaces(tx, event.id, scanId)).toBe(false)
      expect((await blocksRead(tx, 'scans')) - before).toBeLessThanOrEqual(10)
    })
  })

  test('a page sorted by check-in reads its own rows alone', async () => {
    const { event, token } = await makeFixture(app)
    const own = (await callerAt(app, token, event)).own
    await db.transaction().execute(async (tx) => {
      await addGuests(tx, event, 20_000)
      await sql`
        insert into checkins (registration_id, event_id, status, checkin_time)
        select id, event_id, true, now() - id * interval '1 second' from registrations where event_id = ${event.id}
      `.execute(tx)
      const page = { filters: { searchKeyword: '' }, sortBy: 'checkin' as const, after: null, limit: 25 }
      const before = await blocksRead(tx, 'registrations')
      expect(await findByCheckin(tx, own, page)).toHaveLength(25)
      expect((await blocksRead(tx, 'registrations')) - before).toBeLessThanOrEqual(8 * page.limit)
    })
  })

  test('a search reads the registrations of its event or club, not those of others', async () => {
    const { event, token } = await makeFixture(app)
    const own = (await callerAt(app, token, event)).own
    const club = await ownClub(app.deps.db, event.clubId)
    if (!club) throw new Error('It was just made.')
    const others = await makeFixture(app)
    await db.transaction().execute(async (tx) => {
      await addGuests(tx, others.event, 20_000)
      await addGuests(tx, event, 100)
      const { now } = app.clock
      const ways = {
        'attendees of an event': async () => {
          const filters = { searchKeyword: 'guest 77' }
          return (await findWithCounts(tx, own, { filters, sortBy: 'registration', limit: 25 }))?.found
        },
        'a person in a club': () => findRecords(tx, club, { now, search: 'guest 77', most: 100 }),
      }
      for (const [name, find] of Object.entries(ways)) {
        const before = await blocksRead(tx, 'registrations')
        expect(await find(), name).toHaveLength(1)
        expect((await blocksRead(tx, 'registrations')) - before, name).toBeLessThanOrEqual(120)
      }
    })
  })

  test('registrations are found by their ids', async () => {
    const { event, token } = await makeFixture(app)
    const own = (await callerAt(app, token, event)).own
    await db.transaction().execute(async (tx) => {
      await addGuests(tx, event, 20_000)
      const rows = await tx
        .selectFrom('registrations')
        .select('id')
        .where('eventId', '=', event.id)
        .orderBy('id')
        .execute()
      const ids = rows.filter((_, n) => n % 1000 === 0).map(({ id }) => id)
      const ways = [
        findRegistrations,
        lockRegistrations,
        (one: Tx, of: number[]) => findOwnRegistrations(one, own, of),
        async (one: Tx, of: number[]) => (await findForSheet(one, own, of)).rows,
      ]
      for (const find of ways) {
        const before = await blocksRead(tx, 'registrations')
        expect((await find(tx, ids)).map(({ id }) => id).sort((one, other) => one - other)).toEqual(ids)
        expect((await blocksRead(tx, 'registrations')) - before).toBeLessThanOrEqual(8 * ids.length)
      }
    })
  })
})

/** Statistics that know other events, and not the one of the test: it seems to have no registrations. */
async function analyseOthers(app: TestApp, db: Db): Promise<void> {
  const { token, event, club } = await makeFixture(app)
  for (const other of [event, await makeEvent(app, token, { clubId: club.id })])
    await db.transaction().execute(async (tx) => {
      await addGuests(tx, other, 500)
      // Each index has something of them.
      const { rows } = await sql<{ id: number }>`
        insert into codes (event_id, code, key, kind, value, created_at)
        values (${other.id}, 'X', 'X', 'percent', 10, now()) returning id
      `.execute(tx)
      await sql`
        update registrations set member = name, code_id = ${rows[0]?.id}, status = 'pending', amount = 500,
          hold_expires_at = ${new Date(app.clock.now.getTime() + HOLD_MS)}
        where event_id = ${other.id} and id % 10 = 0
      `.execute(tx)
      await addScans(tx, other, 500)
    })
  await sql`analyze`.execute(db)
}

function placed({ id: eventId }: Event, name: string): NewRegistration {
  return {
    eventId,
    ticketTypeId: null,
    name,
    email: `${name}@example.org`,
    phone: '',
    others: [],
    qrUuid: randomUUID(),
    amount: 0,
    holdExpiresAt: null,
    idempotencyKey: name,
    fingerprint: 'a'.repeat(64),
    language: null,
    isLimited: true,
    codeId: null,
    discount: 0,
    member: null,
  }
}

/** Returns their ids. */
async function addScans(tx: Tx, { id }: Event, count: number): Promise<string[]> {
  const { rows } = await sql<{ scanId: string }>`
    insert into scans (scan_id, event_id, code_hash, scanned_at, received_at, outcome)
    select gen_random_uuid(), ${id}, n::text, now(), now(), '{}' from generate_series(1, ${count}::int) n returning scan_id
  `.execute(tx)
  return rows.map(({ scanId }) => scanId)
}
