import { describe, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { checkinApi } from '../../src/contract/checkins.ts'
import { clubApi } from '../../src/contract/clubs.ts'
import { eventApi } from '../../src/contract/events.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { statisticsApi } from '../../src/contract/statistics.ts'
import { appUserApi } from '../../src/contract/users.ts'
import { makeEvent, makeRegistration, registrationFor } from '../support/make.ts'
import { app, fixture, send, setUpUntyped } from '../support/untyped.ts'

setUpUntyped()

describe('answers', () => {
  test('the message of a 422 is that of its first field', async () => {
    const body = registrationFor(fixture.event, { email: 'nonsense' })
    expect(await send(registrationApi.initRegistration, body, '')).toMatchObject({
      status: 422,
      msg: 'E-mail: Enter an e-mail address like name@example.org.',
      errors: [
        { path: 'newRegistration.registrationData.email', msg: 'Enter an e-mail address like name@example.org.' },
      ],
    })
  })

  test('a wrong club id of an admin gets its own error; without one, adding a club is refused', async () => {
    for (const clubId of ['abc', '0', ''])
      expect(await send(appUserApi.getAppUsers, { clubId })).toMatchObject({
        status: 422,
        errors: [{ path: 'clubId' }],
      })
    expect((await send(clubApi.save, { id: 'abc', name: 'x' })).status).toBe(422)
    for (const id of [undefined, null]) expect((await send(clubApi.save, { id, name: 'x' })).status).toBe(403)
  })

  test('checking in twice answers when and by whom the first was made, also by hand', async () => {
    const { id: registrationId } = await makeRegistration(app, fixture.event)
    const payload = { newCheckin: { registrationId, status: true }, eventId: fixture.event.id }
    await send(checkinApi.save, { payload })
    expect(await send(checkinApi.save, { payload })).toMatchObject({
      status: 409,
      code: 'ALREADY_CHECKED_IN',
      msg: expect.stringMatching(/^Already checked in at 19:00 by /),
      payload: { checkin: { registrationId, checkinTime: '2026-11-20T18:00:00.000Z' } },
    })
  })

  test('a wrong current password and a missing one have different messages', async () => {
    const { id, fullName, email } = fixture.sudo
    const change = async (currentPassword: string | null) =>
      (
        await send(
          appUserApi.save,
          { payload: { id, fullName, email, clubId: null, password: 'correct horse 2', currentPassword } },
          fixture.sudo.token,
        )
      ).errors
    expect(await change(null)).toEqual([{ path: 'payload.currentPassword', msg: 'Enter your current password.' }])
    expect(await change('wrong')).toEqual([
      { path: 'payload.currentPassword', msg: 'This is not your current password.' },
    ])
  })

  test('a registration cancelled after check-in counts neither as registered nor as checked in', async () => {
    const event = await makeEvent(app, fixture.token)
    const counts = async () =>
      (await send(statisticsApi.getStatistics, { eventId: event.id, date: '2026-11-20' })).payload
    const registration = await makeRegistration(app, event)
    const newCheckin = { registrationId: registration.id, status: true }
    await send(checkinApi.save, { payload: { newCheckin, eventId: event.id } })
    expect(await counts()).toMatchObject({ totalRegistrationCount: 1, totalCheckinCount: 1, historicalCheckinCount: 1 })
    await send(attendeeApi.updateStatus, { payload: { ...registration, status: 'cancelled' } })
    expect(await counts()).toMatchObject({ totalRegistrationCount: 0, totalCheckinCount: 0, historicalCheckinCount: 0 })
  })

  test('HEAD answers as GET does, without a body, and never changes anything', async () => {
    const head = (path: string) =>
      fetch(`${app.url}${path}`, { method: 'HEAD', headers: { authorization: fixture.token } })
    const known = await head(`/api/event/getEvent?eventId=${fixture.event.id}`)
    expect([known.status, await known.text()]).toEqual([200, ''])
    expect(known.headers.get('content-type')).toContain('application/json')
    expect((await head('/api/event/getEvent?eventId=999999')).status).toBe(404)
    expect((await head(`/api/registration/downloadAttendees?eventId=${fixture.event.id}`)).status).toBe(200)
    const event = await makeEvent(app, fixture.token)
    expect((await head(`/api/event/removeEvent?eventId=${event.id}`)).status).toBe(404)
    expect((await send(eventApi.getEvent, { eventId: event.id })).status).toBe(200)
  })
})
