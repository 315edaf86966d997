import { describe, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { checkinApi } from '../../src/contract/checkins.ts'
import { clubApi } from '../../src/contract/clubs.ts'
import { eventApi } from '../../src/contract/events.ts'
import { extrasApi } from '../../src/contract/extras.ts'
import { formApi } from '../../src/contract/forms.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import { appUserApi } from '../../src/contract/users.ts'
import { makeEvent, makeExtras, makeForm, makeRegistration, registrationFor } from '../support/make.ts'
import { app, fixture, send, setUpUntyped } from '../support/untyped.ts'

setUpUntyped()

describe('sent back as answered', () => {
  test.each(['admin', 'sudo'] as const)('the user, by %s', async (who) => {
    const token = who === 'sudo' ? fixture.sudo.token : fixture.token
    const { payload } = await send(appUserApi.getAppUsers, { clubId: fixture.club.id }, token)
    const [user] = payload.admins
    const saved = await send(appUserApi.save, { payload: { ...user, fullName: `By ${who}` } }, token)
    expect(saved).toMatchObject({ status: 200, payload: { id: user.id, fullName: `By ${who}`, image: user.image } })
  })

  test('the current user, also the operator', async () => {
    for (const token of [fixture.token, fixture.sudo.token]) {
      const { payload } = await send({ method: 'GET', path: '/api/user/getCurrentUser' }, {}, token)
      expect(await send(appUserApi.save, { payload }, token)).toMatchObject({
        status: 200,
        payload: { id: payload.id },
      })
    }
  })

  test('a club, also as a row of the operator’s list', async () => {
    const { payload: club } = await send(clubApi.getClub, { clubId: fixture.club.id })
    const own = await send(clubApi.save, { ...club, location: 'Here', logo: 'stolen.png' })
    expect(own).toMatchObject({ status: 200, payload: { location: 'Here', logo: '' } })
    const { payload: clubs } = await send(clubApi.getAllClubs, {}, fixture.sudo.token)
    expect((await send(clubApi.save, clubs[0], fixture.sudo.token)).status).toBe(200)
  })

  test('an event', async () => {
    const { payload: event } = await send(eventApi.getEvent, { eventId: fixture.event.id })
    const saved = await send(eventApi.save, { ...event, location: 'There', registrationCount: 99, createdAt: 'x' })
    expect(saved).toMatchObject({
      status: 200,
      payload: { location: 'There', registrationCount: event.registrationCount },
    })
  })

  test('a voucher, and the form with its questions', async () => {
    const { id: eventId } = await makeEvent(app, fixture.token)
    await makeExtras(app, fixture.token, eventId, { content: [{ name: 'Drink', quantity: 2 }] })
    const [extras] = (await send(extrasApi.getExtras, { eventId })).payload
    const saved = await send(extrasApi.saveExtras, { payload: { ...extras, name: 'Food', soldCount: 9 } })
    expect(saved).toMatchObject({ status: 200, payload: { name: 'Food', soldCount: 0 } })
    await makeForm(app, fixture.token, eventId, [
      { typeId: 0, text: 'Why?', required: true, options: [] },
      { typeId: 4, text: 'Meal', required: false, options: ['A', 'B'] },
    ])
    const { payload: formQuestions } = await send(formApi.getFormQuestions, { eventId })
    const form = await send(formApi.save, { payload: { eventId, formQuestions, rmQIds: [] } })
    expect(form).toMatchObject({ status: 200, payload: formQuestions })
  })

  test('a registration and its answers', async () => {
    const event = await makeEvent(app, fixture.token)
    const [question] = await makeForm(app, fixture.token, event.id, [
      { typeId: 0, text: 'Why?', required: true, options: [] },
    ])
    const body = registrationFor(event)
    const others = [{ qId: question?.id, question: 'Why?', answer: 'Because' }]
    Object.assign(body.newRegistration.registrationData, { others })
    const first = await send(registrationApi.initRegistration, body, '')
    expect(first).toMatchObject({ status: 200, msg: 'Registration Successful!' })
    const registration = first.payload.savedRegistration
    const data = { ...registration.registrationData, name: 'Corrected' }
    const saved = await send(attendeeApi.save, {
      payload: { ...registration, registrationData: data, qrUuid: crypto.randomUUID(), amount: 5, status: 'cancelled' },
    })
    expect(saved).toMatchObject({ status: 200, payload: { registrationData: data, status: 'confirmed', amount: 0 } })
    expect(saved.payload.qrUuid).toBe(registration.qrUuid)
    const { name, phone } = data
    const correction = { registrationId: registration.id, qrUuid: registration.qrUuid }
    const own = { name, phone, others: registration.registrationData.others }
    expect(await send(ticketApi.correct, { payload: { ...correction, registrationData: own } }, '')).toMatchObject({
      status: 200,
    })
    const cancelled = await send(attendeeApi.updateStatus, { payload: { ...saved.payload, status: 'cancelled' } })
    expect(cancelled).toMatchObject({ status: 200, payload: { status: 'cancelled' } })
  })

  test('a check-in', async () => {
    const { id: registrationId } = await makeRegistration(app, fixture.event)
    const fresh = { id: null, registrationId, status: true, checkinTime: null }
    const { payload: checkin } = await send(checkinApi.save, {
      payload: { newCheckin: fresh, eventId: fixture.event.id },
    })
    const newCheckin = { ...checkin, status: false }
    const undone = await send(checkinApi.save, { payload: { newCheckin, eventId: fixture.event.id } })
    expect(undone).toMatchObject({ status: 200, payload: { id: checkin.id, status: false } })
  })

  test('other keys are refused, and nobody can raise their own role', async () => {
    const { event, admin, club } = fixture
    const path = (answer: { errors?: { path: string }[] }) => answer.errors?.map(({ path }) => path)
    expect(path(await send(eventApi.save, { id: event.id, qrUuid: 'x' }))).toEqual(['qrUuid'])
    expect(path(await send(clubApi.save, { id: club.id, ownerId: 1 }))).toEqual(['ownerId'])
    const user = { id: admin.id, fullName: 'Ana', email: admin.email, clubId: club.id }
    expect(path(await send(appUserApi.save, { payload: { ...user, role: 'sudo' } }))).toEqual(['payload.role'])
    const added = { payload: { ...user, id: null, email: 'more@example.org', role: 'sudo' } }
    expect(path(await send(appUserApi.save, added))).toEqual(['payload.role'])
    const body = registrationFor(event)
    for (const key of ['status', 'qrUuid', 'amount']) {
      const newRegistration = { ...body.newRegistration, [key]: 'confirmed' }
      expect(path(await send(registrationApi.initRegistration, { ...body, newRegistration }, ''))).toEqual([
        `newRegistration.${key}`,
      ])
    }
  })
})
