import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { Refusal } from '../../src/contract/errors.ts'
import { eventApi } from '../../src/contract/events.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import { composeMail } from '../../src/server/compose-mail.ts'
import { claimDueMails } from '../../src/server/mail/claim-queries.ts'
import { makeSender } from '../../src/server/mail/send-due.ts'
import { smtpMailer } from '../../src/server/mail/smtp.ts'
import { startMailWorker } from '../../src/server/mail/worker.ts'
import {
  app,
  claim,
  fixture,
  HOUR,
  MINUTE,
  mails,
  metrics,
  pass,
  queueFor,
  receivers,
  register,
  reset,
  server,
  setUpMailQueue,
} from '../support/mail-queue.ts'
import { makeClub, makeEvent, makeRegistration } from '../support/make.ts'

setUpMailQueue()

test('mails to users go first, then clubs take turns, each in its own order', async () => {
  const long = await register()
  const clubs = [fixture.club.id]
  await queueFor(long.id, long.clubId, 100, new Date(app.clock.now.getTime() - HOUR))
  for (let n = 0; n < 2; n++) {
    const { club, token } = await makeClub(app, fixture.sudo.token)
    const registration = await makeRegistration(app, await makeEvent(app, token))
    await app.deps.db.deleteFrom('mails').where('registrationId', '=', registration.id).execute()
    await queueFor(registration.id, club.id, 2, new Date(app.clock.now.getTime() - MINUTE))
    clubs.push(club.id)
  }
  await app.deps.db.deleteFrom('mails').where('kind', '=', 'ticket').execute()
  await reset()
  const [a, b, c] = clubs
  const first = await claimDueMails(app.deps.db, claim({ limit: 6 }))
  expect(first.mails.map(({ lead }) => (lead.userId ? 'user' : lead.clubId))).toEqual(['user', a, b, c, a, b])
  const second = await claimDueMails(app.deps.db, claim({ limit: 3, lastClubId: first.lastClubId }))
  expect(second.mails.map(({ lead }) => lead.clubId)).toEqual([c, a, a])
  const ofA = [...first.mails, ...second.mails].flatMap(({ lead }) =>
    lead.clubId === a && !lead.userId ? [lead.runAt] : [],
  )
  expect(ofA).toEqual([...ofA].sort((x, y) => x.getTime() - y.getTime()))
})

test('with more clubs than a batch has mails, none is passed over', async () => {
  const clubs = []
  for (let n = 0; n < 4; n++) {
    const { club, token } = await makeClub(app, fixture.sudo.token)
    const registration = await makeRegistration(app, await makeEvent(app, token))
    await queueFor(registration.id, club.id, 5, new Date(app.clock.now.getTime() - (5 - n) * HOUR))
    clubs.push(club.id)
  }
  await app.deps.db.deleteFrom('mails').where('kind', '=', 'ticket').execute()
  const turns = []
  let lastClubId: number | null = null
  for (let n = 0; n < 2; n++) {
    const claims = await claimDueMails(app.deps.db, claim({ limit: 2, lastClubId }))
    turns.push(...claims.mails.map(({ lead }) => lead.clubId))
    lastClubId = claims.lastClubId
  }
  expect(turns).toEqual(clubs)
})

test('tickets of one address that are due together travel in one mail, with the same Message-ID when it is sent again', async () => {
  const family = []
  for (let n = 0; n < 3; n++) family.push(await register('Parent@example.org'))
  const elsewhere = await register('parent@example.org', await makeEvent(app, fixture.token))
  await app.deps.db.deleteFrom('mails').where('registrationId', '=', elsewhere.id).execute()
  server.behave('drop')
  await app.finishMails()
  server.behave('take')
  // A registration in between does not change the mail that is already being sent.
  const late = await register('parent@example.org')
  pass(61_000)
  await app.finishMails()
  expect(receivers()).toHaveLength(2)
  const [first, second] = server.taken
  const ids = server.dropped.map(({ parsed }) => parsed.messageId)
  const together = [first, second].find((mail) => mail?.parsed.messageId === ids[0])
  expect(together?.parsed.subject).toBe('Your 3 tickets: Summer party')
  for (const { qrUuid } of family) expect(together?.parsed.text).toContain(qrUuid)
  expect(together?.parsed.text).not.toContain(late.qrUuid)
  const names = together?.parsed.attachments.map(({ filename }) => filename)
  expect(names).toEqual(expect.arrayContaining(['tickets.pdf', 'event.ics']))
  expect(await mails()).toMatchObject(Array.from({ length: 4 }, () => ({ status: 'sent' })))
})

test('a ticket cancelled before the mail goes out is left out of it', async () => {
  const [first, second] = [await register('two@example.org'), await register('two@example.org')]
  const payload = { id: first.id, eventId: first.eventId, status: 'cancelled' as const }
  await app.call(attendeeApi.updateStatus, { payload }, fixture.token)
  await app.finishMails()
  const ticket = server.taken.find(({ parsed }) => parsed.subject?.startsWith('Your ticket'))
  expect(ticket?.parsed.text).toContain(second.qrUuid)
  expect(ticket?.parsed.text).not.toContain(first.qrUuid)
})

async function mailStates(event = fixture.event) {
  const { attendees } = await app.call(
    attendeeApi.getAttendees,
    { eventId: event.id, searchKeyword: '', sortBy: 'registration', limit: 50 },
    fixture.token,
  )
  return attendees.map(({ rId, mail }) => ({ rId, mail }))
}

test('an unproven address gets five mails a day, and the rest once it opens one of them', async () => {
  const victim = 'victim@example.org'
  const made = []
  for (let n = 0; n < 6; n++) {
    made.push(await register(n % 2 === 0 ? victim : victim.toUpperCase()))
    await app.finishMails()
  }
  const [first, last] = [made[0], made[5]]
  if (!first || !last) throw new Error('Nobody was registered.')
  expect(receivers()).toHaveLength(5)
  expect((await mailStates()).find(({ rId }) => rId === last.id)?.mail).toBe('held')
  const timeline = await app.call(
    attendeeApi.getTimeline,
    { eventId: last.eventId, registrationId: last.id },
    fixture.token,
  )
  expect(timeline.map(({ text }) => text)).toContain('Ticket not sent: too many e-mails to this address in one day')
  // The page still shows the ticket, but opening it there does not prove that the person reads mail at the address.
  const holder = { registrationId: last.id, qrUuid: last.qrUuid }
  expect((await app.call(ticketApi.getRegistration, holder)).registration.status).toBe('confirmed')
  await app.call(ticketApi.noteOpened, { payload: holder })
  const ofFirst = { registrationId: first.id, qrUuid: first.qrUuid }
  for (const payload of [holder, ofFirst])
    await app.call(ticketApi.noteOpened, { payload: { ...payload, mailId: crypto.randomUUID() } })
  await app.finishMails()
  expect(receivers()).toHaveLength(5)

  // The limit does not apply to mails that staff send.
  await app.call(attendeeApi.sendTicket, { registrationId: first.id, eventId: first.eventId }, fixture.token)
  await app.finishMails()
  expect(receivers()).toHaveLength(6)

  const mailId = /#mail=([\da-f-]{36})/.exec(server.taken[0]?.parsed.text ?? '')?.[1]
  const opened = { ...ofFirst, ...(mailId !== undefined && { mailId }) }
  await app.call(ticketApi.noteOpened, { payload: opened })
  await register(victim)
  await app.finishMails()
  expect(await mails()).toMatchObject(Array.from({ length: 8 }, () => ({ status: 'sent' })))
})

test('of the mails that go out to an unproven address at the same moment, those above the limit wait', async () => {
  const family = []
  for (let n = 0; n < 7; n++) {
    const event = n === 0 ? fixture.event : await makeEvent(app, fixture.token)
    // Two tickets for one event are one mail.
    for (let ticket = 0; ticket < (n === 6 ? 2 : 1); ticket++) family.push(await register('crowd@example.org', event))
  }
  const other = await register('other@example.org')
  await reset()
  await app.finishMails()
  expect(receivers().filter((to) => to === 'crowd@example.org')).toHaveLength(5)
  expect(receivers()).toContain('other@example.org')
  const rows = await app.deps.db
    .selectFrom('mails')
    .select(['registrationId', 'status', 'leadId', 'lockedUntil'])
    .where('kind', '=', 'ticket')
    .where('registrationId', '<>', other.id)
    .orderBy('id')
    .execute()
  expect(rows.map(({ status }) => status)).toEqual([...Array(5).fill('sent'), ...Array(3).fill('held')])
  for (const held of rows.slice(5)) expect(held).toMatchObject({ leadId: null, lockedUntil: null })
})

test('while mails that visitors caused cannot be counted, the others go out, and no try is charged', async () => {
  await register('patient@example.org')
  const { id } = await register('asked@example.org')
  await sql`update mails set is_unasked = false where registration_id = ${id}`.execute(app.deps.db)
  await sql`alter table mail_addresses rename to mail_addresses_away`.execute(app.deps.db)
  try {
    await makeSender(app.deps, composeMail).sendDue()
  } finally {
    await sql`alter table mail_addresses_away rename to mail_addresses`.execute(app.deps.db)
  }
  expect(receivers()).toEqual(['asked@example.org'])
  expect(await mails()).toMatchObject([{ status: 'queued', attempts: 0 }, { status: 'sent' }])
  await app.finishMails()
  expect(receivers()).toEqual(['asked@example.org', 'patient@example.org'])
})

test('a mail that cannot be composed while the database is slow is not charged with a try', async () => {
  await register('patient@example.org')
  const slow = makeSender(app.deps, () => Promise.reject(new Refusal('UNAVAILABLE')))
  await slow.sendDue()
  expect(await mails()).toMatchObject([{ status: 'queued', attempts: 0, lastError: null }])
  await app.finishMails()
  expect(receivers()).toEqual(['patient@example.org'])
})

test('the count of mails to an unproven address resets after a day, also when the clock was ahead', async () => {
  const count = (dayStart: Date) => app.deps.db.updateTable('mailAddresses').set({ dayStart, sent: 5 }).execute()
  await register('again@example.org')
  await app.finishMails()
  for (const hours of [-25, 26]) {
    await count(new Date(app.clock.now.getTime() + hours * HOUR))
    await register('again@example.org')
    await app.finishMails()
  }
  expect(receivers()).toHaveLength(3)
})

test.each([26, -26])('mails go out at once after the clock was %i hours off', async (hours) => {
  const paced = { ...app.deps, settings: { ...app.deps.settings, mailsPerMinute: 60 } }
  const sender = makeSender(paced, composeMail)
  // While the clock is wrong: the pace is used up, an attempt is postponed, and a lease is taken and never released.
  pass(hours * HOUR)
  for (let n = 0; n < 8; n++) await reset()
  await sender.sendDue()
  server.behave('busy')
  pass(MINUTE)
  await sender.sendDue()
  await reset()
  await claimDueMails(app.deps.db, claim({ limit: 1 }))
  server.behave('take')
  pass(-hours * HOUR)
  for (let n = 0; n < 4; n++) {
    pass(6_001)
    await sender.sendDue()
  }
  expect(await mails()).toMatchObject(Array.from({ length: 9 }, () => ({ status: 'sent' })))
})

test('a sent mail that cannot be recorded for a minute keeps its lease and is not sent again', async () => {
  const { db } = app.deps
  await sql`
    create function refuse_note() returns trigger language plpgsql as $$
    begin if new.status = 'sent' then raise exception 'away'; end if; return new; end $$
  `.execute(db)
  await sql`create trigger refuse before update on mails for each row execute function refuse_note()`.execute(db)
  await reset()
  await app.finishMails()
  const other = makeSender(app.deps, composeMail)
  for (let n = 0; n < 6; n++) {
    pass(10_000)
    await app.finishMails()
    await other.sendDue()
  }
  expect(receivers()).toHaveLength(1)
  await sql`drop trigger refuse on mails`.execute(db)
  await app.finishMails()
  expect(await mails()).toMatchObject([{ status: 'sent' }])
  expect(receivers()).toHaveLength(1)
})

test('the worker stops even if the mail server never answers, and reports its last progress', async () => {
  const mailer = smtpMailer(server.url, 'Turnout <tickets@turnout.test>', { patienceMs: 60_000 })
  const start = performance.now()
  const worker = startMailWorker({ ...app.deps, mailer }, composeMail)
  await expect.poll(() => worker.lastRoundAt()).toBeGreaterThan(start)
  server.behave('stall')
  await reset()
  await expect.poll(() => server.dropped.length, { timeout: 10_000 }).toBe(1)
  await worker.stop()
  expect(await mails()).toMatchObject([{ status: 'queued' }])
  mailer.close()
})

test('metrics of the queue: how many wait, since when, and whether mail is paused', async () => {
  server.refuse({ at: 'login', code: 535, text: 'No' })
  await reset()
  pass(90_000)
  await app.finishMails()
  const other = await app.another()
  other.clock.now = app.clock.now
  const text = await (await fetch(`${other.url}/metrics`)).text()
  expect(text).toContain('turnout_mails{status="queued"} 1')
  expect(text).toContain('turnout_mail_oldest_queued_seconds 90')
  expect(text).toContain('turnout_mail_paused 1')
  expect(await metrics()).toContain('turnout_mails_sent_total')
})

test('attendees are notified of a new time or place with a file that updates their calendar, if the club wants it', async () => {
  const event = await makeEvent(app, fixture.token, { location: 'Harbour' })
  const [registration, sibling] = [
    await register('moved@example.org', event),
    await register('moved@example.org', event),
  ]
  await app.finishMails()
  const before = server.taken[0]?.parsed
  const save = (fields: object) => app.call(eventApi.save, { id: event.id, ...fields }, fixture.token)
  app.clock.now = new Date(app.clock.now.getTime() + MINUTE)
  await save({ location: 'Elsewhere' })
  await save({ name: 'Garden party', tellAttendees: true })
  await app.finishMails()
  expect(server.taken).toHaveLength(1)

  app.clock.now = new Date(app.clock.now.getTime() + MINUTE)
  await save({ location: 'Boathouse', tellAttendees: true })
  await save({
    startsAt: new Date('2026-11-28T18:00:00.000Z'),
    endsAt: new Date('2026-11-28T22:00:00.000Z'),
    tellAttendees: true,
  })
  await app.finishMails()
  expect(server.taken).toHaveLength(2)
  const news = server.taken[1]?.parsed
  expect(news?.subject).toBe('Changed: Garden party')
  for (const part of ['Saturday 28/11/2026', 'Boathouse', registration.qrUuid, sibling.qrUuid])
    expect(news?.text).toContain(part)
  // What they were last told, not what came between.
  expect(news?.text).toMatch(/Before the change:\n+Friday .*\n19:00–.*\nHarbour\n/)
  expect(news?.text).not.toContain('Elsewhere')
  expect(news?.html).toMatch(/line-through">[^<]*<strong>Friday/)
  const calendarOf = (mail: typeof news) => {
    const content = mail?.attachments.find(({ filename }) => filename === 'event.ics')?.content ?? ''
    return typeof content === 'string' ? content : new TextDecoder().decode(content)
  }
  const all = (pattern: RegExp, text: string) => [...text.matchAll(pattern)].map(([, value]) => value)
  const [old, fresh] = [calendarOf(before), calendarOf(news)]
  expect(all(/UID:(.+)/g, fresh)).toEqual(all(/UID:(.+)/g, old))
  expect(Number(all(/SEQUENCE:(\d+)/g, fresh)[0])).toBeGreaterThan(Number(all(/SEQUENCE:(\d+)/g, old)[0]))
  expect(fresh).toContain('DTSTART:20261128T180000Z')

  // Only the place is changed; then it is changed and changed back.
  app.clock.now = new Date(app.clock.now.getTime() + MINUTE)
  await save({ location: 'Pier', tellAttendees: true })
  await app.finishMails()
  expect(server.taken[2]?.parsed.text).toMatch(/Before the change:\n+Boathouse\n\n/)
  app.clock.now = new Date(app.clock.now.getTime() + MINUTE)
  await save({ location: 'Elsewhere' })
  await save({ location: 'Pier', tellAttendees: true })
  await app.finishMails()
  expect(server.taken[3]?.parsed.text).toContain('Pier')
  expect(server.taken[3]?.parsed.text).not.toContain('Before the change')
})

test('a person about to pay is told not to when the event is cancelled', async () => {
  const event = await makeEvent(app, fixture.token)
  const [paying, coming] = [await register('paying@example.org', event), await register('coming@example.org', event)]
  const { db } = app.deps
  await db.deleteFrom('mails').execute()
  const holdExpiresAt = new Date(app.clock.now.getTime() + 30 * MINUTE)
  await db.updateTable('registrations').set({ status: 'pending', holdExpiresAt }).where('id', '=', paying.id).execute()
  await app.call(eventApi.save, { id: event.id, status: 'cancelled' }, fixture.token)
  await app.finishMails()
  const textTo = (address: string) => server.taken.find(({ envelope }) => envelope.to.includes(address))?.parsed.text
  expect(textTo('paying@example.org')).toContain('Please do not pay any more')
  expect(textTo('coming@example.org')).toContain('Your ticket is no longer needed')
  expect(coming.status).toBe('confirmed')
})

test('two workers whose clocks differ a little never take the same mails', async () => {
  for (let n = 0; n < 3; n++) await reset()
  const first = await claimDueMails(app.deps.db, claim({ limit: 5 }))
  pass(-25)
  const second = await claimDueMails(app.deps.db, claim({ limit: 5 }))
  expect([first.mails.length, second.mails.length]).toEqual([3, 0])
})

test('a ticket that travels in the mail of a cancelled one goes out, also when the first try fails', async () => {
  const email = 'family@example.org'
  const [first, second] = [await register(email), await register(email)]
  await app.call(
    attendeeApi.updateStatus,
    { payload: { id: first.id, eventId: fixture.event.id, status: 'cancelled' } },
    fixture.token,
  )
  server.behave('busy')
  await app.finishMails()
  server.behave('take')
  pass(5 * MINUTE)
  await app.finishMails()
  const states = await app.deps.db
    .selectFrom('mails')
    .select(['registrationId', 'status'])
    .where('kind', '=', 'ticket')
    .orderBy('registrationId')
    .execute()
  expect(states).toEqual([
    { registrationId: first.id, status: 'dropped' },
    { registrationId: second.id, status: 'sent' },
  ])
})
