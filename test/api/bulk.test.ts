import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { authApi } from '../../src/contract/auth.ts'
import { checkinApi } from '../../src/contract/checkins.ts'
import { clubApi } from '../../src/contract/clubs.ts'
import { doorApi } from '../../src/contract/door.ts'
import { eventApi } from '../../src/contract/events.ts'
import { extrasApi } from '../../src/contract/extras.ts'
import { permissionsOf } from '../../src/contract/permissions.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { statisticsApi } from '../../src/contract/statistics.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import { appUserApi } from '../../src/contract/users.ts'
import { makeOwnEvent } from '../../src/server/access/own-event.ts'
import { changeMany } from '../../src/server/attendees/change-many.ts'
import { changeStatus } from '../../src/server/attendees/change-status.ts'
import { removeRegistration } from '../../src/server/attendees/remove.ts'
import type { Deps } from '../../src/server/deps.ts'
import { saveExtras } from '../../src/server/extras/save-extras.ts'
import { saveForm } from '../../src/server/forms/save-form.ts'
import { jobSteps } from '../../src/server/job-steps.ts'
import { doNextStep, workOnJobs } from '../../src/server/jobs/worker.ts'
import { refund } from '../../src/server/payments/refund.ts'
import {
  makeClub,
  makeEvent,
  makeExtras,
  makeFixture,
  makeRegistration,
  PASSWORD,
  registrationFor,
  scanOf,
} from '../support/make.ts'
import { makeMany } from '../support/make-many.ts'
import { countOutcomes, refusalOf } from '../support/outcomes.ts'
import { until } from '../support/serve.ts'
import { startApp, type TestApp } from '../support/start-app.ts'
import { verify } from '../support/verify.ts'
import { countWaiting } from '../support/waiting.ts'

const signedIn = {
  apiToken: null,
  isFresh: true,
  hasSecondFactor: false,
  hasPasskey: false,
  mustSetUp: false,
  mayFinishAtDoor: false,
}
const operator = { id: 1, fullName: 'Sue Do', tokenHash: '', role: 'sudo', clubId: null, ...signedIn } as const
let app: TestApp
beforeAll(async () => {
  app = await startApp({ settings: { limits: false } })
})
afterEach(async () => verify(app.deps.db))
afterAll(async () => app.stop())

const day = { date: '2026-11-20' }

/** The server's dependencies, with a simulated kill: the n-th reading of the clock, counted from 1, throws. */
function killedAt(n: number): Deps {
  let looks = 0
  const now = () => {
    if (++looks >= n) throw new Error('killed')
    return app.clock.now
  }
  return { ...app.deps, now }
}

/** Whether another transaction can lock the event's row at this moment. */
const canLock = async (eventId: number) => {
  const { rows } = await sql`select id from events where id = ${eventId} for update nowait`.execute(app.deps.db)
  return rows.length === 1
}

const count = async (query: ReturnType<typeof sql<{ count: number }>>) =>
  (await query.execute(app.deps.db)).rows[0]?.count

describe('several registrations at once', () => {
  test('are cancelled in short transactions with all they held, and the same request again finishes what is left', async () => {
    const { event, token, admin, club } = await makeFixture(app)
    const drinks = await makeExtras(app, token, event.id, { content: [{ name: 'Beer', quantity: 1 }], maxQuantity: 5 })
    const { id: withDrinks } = await makeRegistration(app, event, { extrasIds: [drinks.id] })
    const ids = [withDrinks, ...(await makeMany(app, event, 220, 2500))]
    await sql`update payments set dispute = 'needs_response' where registration_id = ${ids[5]}`.execute(app.deps.db)
    const own = await makeOwnEvent(app.deps.db)(operator, event.id)
    if (!own) throw new Error('The event is not there.')
    const caller = {
      id: admin.id,
      fullName: 'Ana',
      tokenHash: '',
      ...signedIn,
      role: 'admin' as const,
      teamRole: 'owner' as const,
      permissions: permissionsOf('owner'),
      pass: null,
      eventIds: null,
      clubId: club.id,
    }
    const payload = { eventId: event.id, registrationIds: ids, action: 'cancel' as const }

    await expect(changeMany(killedAt(2), caller, own, payload)).rejects.toThrow('killed')
    await verify(app.deps.db)
    expect(await app.call(eventApi.getEvent, { eventId: event.id })).toMatchObject({ registrationCount: 171 })
    expect(await app.call(attendeeApi.changeMany, { payload }, token)).toEqual({ changed: 171, unchanged: 50 })

    expect(await app.call(eventApi.getEvent, { eventId: event.id })).toMatchObject({ registrationCount: 0 })
    expect(await app.call(extrasApi.getExtras, { eventId: event.id })).toMatchObject([{ soldCount: 0 }])
    const ofEvent = sql`select id from registrations where event_id = ${event.id}`
    expect(
      await count(
        sql`select count(*) from mails where kind = 'registration cancelled' and registration_id in (${ofEvent})`,
      ),
    ).toBe(221)
    // All except the disputed one, each once.
    expect(
      await count(
        sql`select count(*) from refunds f join payments p on p.id = f.payment_id
            where p.event_id = ${event.id} and f.reason = 'cancelled' and f.amount = 2500`,
      ),
    ).toBe(219)
    expect(
      await count(
        sql`select count(distinct xmin::text) from changes where action = 'cancelled' and subject_id in (${ofEvent})`,
      ),
    ).toBe(5)
  })

  test('are let in, or sent their tickets again, where that is possible', async () => {
    const { event, token } = await makeFixture(app)
    const ids = await makeMany(app, event, 150)
    const many = (action: 'resend' | 'check in' | 'cancel', registrationIds = ids) =>
      app.call(attendeeApi.changeMany, { payload: { eventId: event.id, registrationIds, action } }, token)
    await many('cancel', ids.slice(0, 10))
    expect(await many('check in')).toEqual({ changed: 140, unchanged: 10 })
    expect(await many('check in')).toEqual({ changed: 0, unchanged: 150 })
    expect(await many('resend')).toEqual({ changed: 140, unchanged: 10 })
    // A registration cancelled after check-in counts neither as registered nor as checked in.
    await many('cancel', ids.slice(10, 20))
    const counts = await app.call(statisticsApi.getStatistics, { eventId: event.id, ...day }, token)
    expect(counts).toMatchObject({ totalRegistrationCount: 130, totalCheckinCount: 130, historicalCheckinCount: 130 })
    expect(counts.arrivals).toMatchObject([{ checkins: 130 }])
  })
})

describe('an event called off', () => {
  test('tells and refunds everybody once, in steps that can be interrupted, and never what is disputed', async () => {
    const { event, token } = await makeFixture(app)
    const ids = await makeMany(app, event, 500, 2500)
    await sql`update payments set dispute = 'warning_needs_response' where registration_id = ${ids[7]}`.execute(
      app.deps.db,
    )
    await app.call(eventApi.save, { id: event.id, status: 'cancelled' }, token)
    const ofEvent = sql`select id from registrations where event_id = ${event.id}`
    const told = () =>
      count(sql`select count(*) from mails where kind = 'event cancelled' and registration_id in (${ofEvent})`)
    const refunds = () =>
      count(
        sql`select count(*) from refunds f join payments p on p.id = f.payment_id
            where p.event_id = ${event.id} and f.reason = 'event cancelled'`,
      )
    expect([await told(), await refunds()]).toEqual([0, 0])
    expect(await doNextStep(app.deps, jobSteps)).toBe(true)
    expect([await told(), await refunds()]).toEqual([200, 199])
    expect(await canLock(event.id)).toBe(true)
    await expect(doNextStep(killedAt(3), jobSteps)).rejects.toThrow('killed')
    expect([await told(), await refunds()]).toEqual([200, 199])
    await workOnJobs(app.deps, jobSteps)
    expect([await told(), await refunds()]).toEqual([500, 499])
    expect(await doNextStep(app.deps, jobSteps)).toBe(false)
    // Queued refunds are not completed yet.
    await refusalOf(app.call(eventApi.removeEvent, { eventId: event.id }, token), 'HAS_PAID')
  })

  test('lets nobody in any more, by code, by hand or in bulk', async () => {
    const { event, token } = await makeFixture(app)
    const registration = await makeRegistration(app, event)
    const of = { registrationId: registration.id, eventId: event.id }
    await app.call(eventApi.save, { id: event.id, status: 'cancelled' }, token)
    await refusalOf(app.call(checkinApi.scanByRegistrationId, scanOf(registration), token), 'EVENT_CANCELLED')
    const newCheckin = { registrationId: of.registrationId, status: true }
    await refusalOf(app.call(checkinApi.save, { payload: { newCheckin, eventId: event.id } }, token), 'EVENT_CANCELLED')
    const payload = { eventId: event.id, registrationIds: [registration.id], action: 'check in' as const }
    await refusalOf(app.call(attendeeApi.changeMany, { payload }, token), 'EVENT_CANCELLED')
    await workOnJobs(app.deps, jobSteps)
  })
})

describe('an event removed', () => {
  test('is gone for everybody at once, and its rows go in steps that can be interrupted', async () => {
    const { event, token, club } = await makeFixture(app)
    const kept = await makeRegistration(app, await makeEvent(app, token))
    const mine = await makeRegistration(app, event)
    await app.call(checkinApi.scanByRegistrationId, scanOf(mine), token)
    await makeMany(app, event, 600)
    await app.call(eventApi.removeEvent, { eventId: event.id }, token)

    const ticket = { registrationId: mine.id, qrUuid: mine.qrUuid }
    const of = { eventId: event.id }
    const calls = [
      app.call(eventApi.getEvent, of),
      app.call(eventApi.getEventByEventIdnClubId, { ...of, clubId: club.id }),
      app.call(registrationApi.initRegistration, registrationFor(event)),
      app.call(ticketApi.getRegistration, ticket),
      app.call(ticketApi.giveBack, { payload: ticket }),
      app.call(attendeeApi.getAttendees, { ...of, searchKeyword: '', sortBy: 'registration', limit: 10 }, token),
      app.call(checkinApi.scanByRegistrationId, scanOf(mine), token),
      app.call(checkinApi.scanByRegistrationId, scanOf(mine, kept.eventId), token),
      app.call(doorApi.getDoorList, of, token),
      app.call(eventApi.save, { id: event.id, name: 'Back' }, token),
      app.call(eventApi.removeEvent, of, token),
    ]
    expect(await countOutcomes(calls)).toEqual({ NOT_FOUND: calls.length })
    expect((await app.call(eventApi.getAllEvents, { clubId: club.id }, token)).map(({ id }) => id)).toEqual([
      kept.eventId,
    ])

    const left = () => count(sql`select count(*) from registrations where event_id = ${event.id}`)
    expect(await left()).toBe(601)
    expect(await doNextStep(app.deps, jobSteps)).toBe(true)
    expect(await left()).toBe(351)
    expect(await canLock(event.id)).toBe(true)
    await expect(doNextStep(killedAt(3), jobSteps)).rejects.toThrow('killed')
    expect(await left()).toBe(351)
    while (await doNextStep(app.deps, jobSteps)) {
      expect(await count(sql`select count(*) from removed_tickets where event_id = ${event.id}`)).toBe(0)
    }
    expect(await count(sql`select count(*) from events where id = ${event.id}`)).toBe(0)
    expect(await count(sql`select count(*) from scans where event_id = ${event.id}`)).toBe(0)
    expect(await app.call(ticketApi.getRegistration, { registrationId: kept.id, qrUuid: kept.qrUuid })).toMatchObject({
      registration: { id: kept.id },
    })
  })
})

test('the counts by time follow rows that are deleted in any way', async () => {
  const { event, token } = await makeFixture(app)
  const [gone] = [await makeRegistration(app, event), await makeRegistration(app, event)]
  await app.call(checkinApi.scanByRegistrationId, scanOf(gone), token)
  // Rolled back afterwards, because the database does not update the number of seats by itself.
  const deleting = app.deps.db.transaction().execute(async (tx) => {
    await sql`delete from registrations where id = ${gone.id}`.execute(tx)
    const { rows } = await sql`select sum(registrations)::int as registrations, sum(checkins)::int as checkins
      from event_counts where event_id = ${event.id}`.execute(tx)
    expect(rows).toEqual([{ registrations: 1, checkins: 0 }])
    throw new Error('undone')
  })
  await expect(deleting).rejects.toThrow('undone')
})

test('a change of an event that was removed after its authorization is answered with not found', async () => {
  const { event, token, club, admin } = await makeFixture(app)
  const { id: registrationId } = await makeRegistration(app, event)
  const own = await makeOwnEvent(app.deps.db)(operator, event.id)
  if (!own) throw new Error('The event is not there.')
  const caller = {
    id: admin.id,
    fullName: 'Ana',
    tokenHash: '',
    ...signedIn,
    role: 'admin' as const,
    teamRole: 'owner' as const,
    permissions: permissionsOf('owner'),
    pass: null,
    eventIds: null,
    clubId: club.id,
  }
  await app.call(eventApi.removeEvent, { eventId: event.id }, token)
  const { deps } = app
  const voucher = { eventId: event.id, name: 'Late', description: '', price: 0, content: [], maxQuantity: null }
  const calls = [
    saveForm(deps, caller, own, { eventId: event.id, formQuestions: [], rmQIds: [] }),
    saveExtras(deps, caller, own, { ...voucher, content: [{ name: 'Beer', quantity: 1 }] }),
    changeMany(deps, caller, own, { eventId: event.id, registrationIds: [registrationId], action: 'cancel' }),
    changeStatus(deps, caller, own, { id: registrationId, status: 'cancelled' }),
    refund(deps, caller, own, { registrationId }),
    removeRegistration(deps, caller, own, registrationId),
  ]
  expect(await countOutcomes(calls)).toEqual({ NOT_FOUND: calls.length })
  await workOnJobs(deps, jobSteps)
})

describe('a club removed', () => {
  test('is gone for everybody at once, its admins are signed out and may sign up again, and nothing of it stays', async () => {
    const { sudo, club, event, token, admin } = await makeFixture(app)
    const other = await makeClub(app, sudo.token)
    await makeMany(app, event, 300)
    await makeMany(app, await makeEvent(app, token), 20)
    await app.call(clubApi.removeClub, { clubId: club.id }, sudo.token)
    expect(
      await countOutcomes([
        app.call(clubApi.getClub, { clubId: club.id }),
        app.call(eventApi.getEvent, { eventId: event.id }),
        app.call(registrationApi.initRegistration, registrationFor(event)),
        app.call(clubApi.removeClub, { clubId: club.id }, sudo.token),
      ]),
    ).toEqual({ NOT_FOUND: 4 })
    await refusalOf(app.call(authApi.getCurrentUser, {}, token), 'SIGN_IN_NEEDED')
    expect(await count(sql`select count(*) from sessions where user_id = ${admin.id}`)).toBe(0)
    await refusalOf(app.call(authApi.signin, { email: admin.email, password: PASSWORD }), 'WRONG_CREDENTIALS')
    const again = { fullName: 'Ana again', email: admin.email, clubId: other.club.id, password: PASSWORD }
    await app.call(appUserApi.save, { payload: again }, sudo.token)

    expect(await doNextStep(app.deps, jobSteps)).toBe(true)
    await expect(doNextStep(killedAt(3), jobSteps)).rejects.toThrow('killed')
    await workOnJobs(app.deps, jobSteps)
    for (const table of ['events', 'registrations', 'mails', 'changes', 'users', 'payments'])
      expect(await count(sql`select count(*) from ${sql.table(table)} where club_id = ${club.id}`), table).toBe(0)
    expect(await count(sql`select count(*) from clubs where id = ${club.id}`)).toBe(0)
  })

  test('stays while payments may still be refunded; money for an event that took place does not count', async () => {
    const { sudo, club, event } = await makeFixture(app)
    await makeMany(app, event, 1, 2500)
    const remove = () => app.call(clubApi.removeClub, { clubId: club.id }, sudo.token)
    await refusalOf(remove(), 'HAS_PAID')
    await sql`update events set starts_at = '2026-01-01', ends_at = '2026-01-02' where id = ${event.id}`.execute(
      app.deps.db,
    )
    await remove()
    await workOnJobs(app.deps, jobSteps)
    // The payment's row outlives the club, because records of money are kept.
    expect(await count(sql`select count(*) from payments where registration_id is null and event_id is null`)).toBe(1)
    await sql`delete from payments where registration_id is null`.execute(app.deps.db)
  })

  test('causes no deadlock while people register', async () => {
    const { sudo, club, event, token } = await makeFixture(app)
    const elsewhere = await makeEvent(app, (await makeClub(app, sudo.token)).token)
    const events = [event, await makeEvent(app, token), elsewhere]
    const calls = Array.from({ length: 45 }, (_, n) =>
      app.call(registrationApi.initRegistration, registrationFor(events[n % 3] ?? event)),
    )
    const removal = app.call(clubApi.removeClub, { clubId: club.id }, sudo.token)
    const { ok = 0, NOT_FOUND = 0, ...others } = await countOutcomes(calls)
    await removal
    expect([ok + NOT_FOUND, others]).toEqual([45, {}])
    expect(ok).toBeGreaterThanOrEqual(15)
    await workOnJobs(app.deps, jobSteps)
  })
})

test('no account is added to a club that is just being removed', async () => {
  const { sudo, club } = await makeFixture(app)
  const payload = { fullName: 'Late', email: 'late-account@example.org', clubId: club.id, password: PASSWORD }
  const adding = await app.deps.db.transaction().execute(async (tx) => {
    await tx.updateTable('clubs').set({ removedAt: app.clock.now }).where('id', '=', club.id).execute()
    const call = refusalOf(app.call(appUserApi.save, { payload }, sudo.token), 'NOT_FOUND')
    await until(async () => (await countWaiting(app.deps.db)) > 0, 10_000, 'it waits for the club')
    return { call }
  })
  await adding.call
  const users = app.deps.db.selectFrom('users').select('id').where('email', '=', payload.email)
  expect(await users.execute()).toEqual([])
})

test('a finished removal stays done when the images cannot be removed', async () => {
  const { sudo, club } = await makeFixture(app)
  const payload = { fullName: 'Ben', email: 'ben-without-photo@example.org', clubId: club.id, password: PASSWORD }
  const { id } = await app.call(appUserApi.save, { payload }, sudo.token)
  await sql`update users set image = ${`${'a'.repeat(32)}.png`} where id = ${id}`.execute(app.deps.db)
  const { remove } = app.deps.images
  app.deps.images.remove = async () => {
    throw new Error('The storage is away.')
  }
  await app.call(appUserApi.removeAppUser, { appUserId: id, clubId: club.id }, sudo.token)
  app.deps.images.remove = remove
})

test('a key sent again after its free place was given back gets the registration as it is', async () => {
  const { event } = await makeFixture(app)
  const request = registrationFor(event, { idempotencyKey: 'tap' })
  const { savedRegistration: first } = await app.call(registrationApi.initRegistration, request)
  await app.call(ticketApi.giveBack, { payload: { registrationId: first.id, qrUuid: first.qrUuid } })
  const { savedRegistration: again, checkoutUrl } = await app.call(registrationApi.initRegistration, request)
  expect([again.id, again.status, checkoutUrl]).toEqual([first.id, 'cancelled', null])
})
