import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { authApi } from '../../src/contract/auth.ts'
import { checkinApi } from '../../src/contract/checkins.ts'
import { clubApi } from '../../src/contract/clubs.ts'
import { doorApi } from '../../src/contract/door.ts'
import type { Endpoint, Input } from '../../src/contract/endpoint.ts'
import { eventApi } from '../../src/contract/events.ts'
import { historyApi } from '../../src/contract/history.ts'
import { personalDataApi } from '../../src/contract/personal-data.ts'
import { platformApi } from '../../src/contract/platform.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { statisticsApi } from '../../src/contract/statistics.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import { ticketUrl } from '../../src/contract/values/ticket-codes.ts'
import { startBench } from './bench-server.ts'
import { medianTime } from './median.ts'

// How the main calls grow when the platform has a hundred times as many registrations: 10 events of 1,000, then 1,000 of them, for 20 clubs.
// The event that is measured stays the same. All figures come from one run: compare them with each other.
const EACH = 1_000
const [FEW, MANY] = [10, 1_000]
const ROUNDS = 30
const CLUBS = 20
const { db, served, token, newEvent, call, memory, stop } = await startBench(3933)

/** Adds events, in turn for each club, with registrations: a third of them checked in, each with a mail. */
async function grow(events: number): Promise<void> {
  for (let done = 0; done < events; done += 10)
    await sql`
      with made as (
        insert into events (club_id, name, description, location, ticket_price, currency, starts_at, ends_at, time_zone, status, created_at, registration_count)
        select (array(select id from clubs order by id))[1 + n % ${CLUBS}], 'Night ' || n, '', '', 0, 'eur', now() + n * interval '1 hour',
          now() + n * interval '1 hour' + interval '3 hours', 'Europe/Berlin', 'published', now(), ${EACH}
        from generate_series(${done}::int, ${Math.min(events, done + 10) - 1}::int) n returning id, club_id
      ), added as (
        insert into registrations (event_id, club_id, qr_uuid, name, email, phone, others, search_text, registration_time, status, amount, currency)
        select made.id, club_id, gen_random_uuid(), 'Visitor ' || n, 'visitor' || made.id || '-' || n || '@example.org', '+49301234567', '[]',
          'visitor ' || n || ' visitor' || made.id || '-' || n || '@example.org 49301234567', now() - n * interval '1 second', 'confirmed', 0, 'eur'
        from made cross join generate_series(1, ${EACH}) n returning id, club_id
      ), come as (
        insert into checkins (registration_id, status, checkin_time, checked_in_by) select id, true, now(), 'Ana' from added where id % 3 = 0
      )
      insert into mails (club_id, registration_id, kind, status, run_at, created_at, sent_at) select club_id, id, 'ticket', 'sent', now(), now(), now() from added
    `.execute(db)
}

try {
  const sudo = (await call(authApi.signin, { email: 'sudo@example.org', password: 'operator 1' })).token
  for (let n = 1; n < CLUBS; n++) await call(clubApi.save, { name: `Club ${n}` }, sudo)
  const event = await newEvent('Measured')
  const { id: eventId, clubId } = event
  const asked =
    <E extends Endpoint>(endpoint: E, input: Input<E>, as = token) =>
    () =>
      call(endpoint, input, as)
  const page = (path: string) => async () => {
    const response = await fetch(served.url + path)
    if (!response.ok) throw new Error(`${path} answered ${response.status}.`)
    await response.text()
  }
  let count = 0
  const register = async () => {
    count++
    const person = { name: `Guest ${count}`, email: `guest${count}@example.org`, phone: '+49301234567', others: [] }
    const { payload } = await call(registrationApi.initRegistration, {
      newRegistration: { eventId, clubId, registrationData: person },
      extrasIds: [],
      idempotencyKey: randomUUID(),
    })
    return payload.savedRegistration
  }
  const ticket = await register()
  const others: (typeof ticket)[] = []
  for (let n = 1; n < EACH; n++) others.push(await register())
  const open = { id: ticket.id, qrUuid: ticket.qrUuid }
  const list = { eventId, sortBy: 'registration' as const, limit: 50 }
  const calls = {
    'event page': page(`/club/${clubId}/event/${eventId}`),
    'ticket page': page(`/qr/${open.id}/${open.qrUuid}`),
    getEvent: asked(eventApi.getEvent, { eventId }),
    initRegistration: register,
    getRegistration: asked(ticketApi.getRegistration, { registrationId: open.id, qrUuid: open.qrUuid }),
    'sign-in page': page('/signin'),
    'getAllEvents of the club': asked(eventApi.getAllEvents, { clubId }),
    getNeeds: asked(clubApi.getNeeds, { clubId }),
    getAttendees: asked(attendeeApi.getAttendees, { ...list, searchKeyword: '' }),
    'getAttendees, search': asked(attendeeApi.getAttendees, { ...list, searchKeyword: 'guest 77' }),
    getStatistics: asked(statisticsApi.getStatistics, { eventId, date: '2026-11-20' }),
    getDoorList: asked(doorApi.getDoorList, { eventId }),
    scan: async () => {
      const next = others.pop() ?? ticket
      await call(
        checkinApi.scanByRegistrationId,
        { payload: { qrCodeData: ticketUrl(served.url, next), eventId } },
        token,
      )
    },
    getHistory: asked(historyApi.getHistory, { clubId }),
    'findRecords, rare': asked(personalDataApi.findRecords, { clubId, search: 'guest77@example.org' }),
    'findRecords, common': asked(personalDataApi.findRecords, { clubId, search: 'example.org' }),
    'getAllClubs of the operator': asked(clubApi.getAllClubs, {}, sudo),
    'getStatus of the operator': asked(platformApi.getStatus, {}, sudo),
  }
  const measure = async () => {
    const times = new Map<string, number>()
    for (const [name, work] of Object.entries(calls)) times.set(name, await medianTime(ROUNDS, work))
    return times
  }
  await grow(FEW)
  const few = await measure()
  const [fewMemory, started] = [memory(), performance.now()]
  await grow(MANY - FEW)
  console.log(
    `${((MANY - FEW) * EACH).toLocaleString('en-GB')} registrations were added in ${((performance.now() - started) / 1000).toFixed(0)} s.\n`,
  )
  const many = await measure()
  for (const [name, before] of few) {
    const after = many.get(name) ?? 0
    console.log(
      `${name.padEnd(28)} ${before.toFixed(1).padStart(7)} ms  ${after.toFixed(1).padStart(8)} ms  ${(after / before).toFixed(2).padStart(6)} ×`,
    )
  }
  const { rows } = await sql<{
    size: string
  }>`select pg_size_pretty(pg_database_size(current_database())) as size`.execute(db)
  console.log(
    `\nDatabase ${rows[0]?.size}; the server's memory: ${fewMemory.toFixed(0)} MB, then ${memory().toFixed(0)} MB`,
  )
} finally {
  await stop()
}
