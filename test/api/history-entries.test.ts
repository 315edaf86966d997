import { afterAll, beforeAll, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { checkinApi } from '../../src/contract/checkins.ts'
import { clubApi } from '../../src/contract/clubs.ts'
import type { Input } from '../../src/contract/endpoint.ts'
import { eventApi } from '../../src/contract/events.ts'
import { extrasApi } from '../../src/contract/extras.ts'
import { formApi } from '../../src/contract/forms.ts'
import { historyApi } from '../../src/contract/history.ts'
import { teamApi } from '../../src/contract/team.ts'
import { appUserApi } from '../../src/contract/users.ts'
import { actionsOf, latestEntry, readHistory, readWholeHistory } from '../support/history.ts'
import { makeExtras, makeFixture, makeMember, makeRegistration, scanOf } from '../support/make.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

test('an edit of an event is told in words, with what was before', async () => {
  const { club, admin, token, event } = await makeFixture(app)
  await app.call(
    eventApi.save,
    {
      id: event.id,
      name: 'Winter party',
      maxAttendees: 80,
      description: 'With **music**',
      registrationClosesAt: new Date('2026-11-26T17:30:00.000Z'),
    },
    token,
  )
  expect(await latestEntry(app, token, club.id)).toMatchObject({
    by: admin.fullName,
    action: 'Event edited',
    about: '',
    event: { id: event.id, name: 'Winter party', isThere: true },
    at: app.clock.now,
    changes: [
      { field: 'Name', before: 'Summer party', after: 'Winter party' },
      { field: 'Capacity', before: 'No limit', after: '80' },
      { field: 'Registration closes', before: 'Not set', after: '26/11/2026 18:30' },
      { field: 'Description', before: null, after: null },
    ],
  })
  await app.call(eventApi.save, { id: event.id, status: 'cancelled' }, token)
  expect(await latestEntry(app, token, club.id)).toMatchObject({
    action: 'Event cancelled',
    changes: [{ field: 'Status', before: 'Published', after: 'Cancelled' }],
  })
  await app.call(eventApi.removeEvent, { eventId: event.id }, token)
  expect(await latestEntry(app, token, club.id)).toMatchObject({
    action: 'Event removed',
    event: { name: 'Winter party', isThere: false },
  })
  await app.finishMails()
  const entries = await readWholeHistory(app, token, club.id, { eventId: event.id })
  expect(actionsOf(entries)).toEqual(['Event removed', 'Event cancelled', 'Event edited', 'Event added'])
  expect(new Set(entries.map((entry) => entry.event?.name))).toEqual(new Set(['Winter party']))
})

test('vouchers, forms and their questions are told in words', async () => {
  const { club, token, event } = await makeFixture(app)
  const voucher = { name: 'Drinks', price: 0, content: [{ name: 'Drink', quantity: 3 }] }
  const { id } = await makeExtras(app, token, event.id, voucher)
  const payload = { id, eventId: event.id, name: 'Drinks', description: 'Cold', price: 0, content: [], maxQuantity: 40 }
  await app.call(extrasApi.saveExtras, { payload }, token)
  const edited = await latestEntry(app, token, club.id)
  expect(edited).toMatchObject({ action: 'Voucher edited', about: 'Drinks', event: { name: 'Summer party' } })
  expect(edited.changes).toEqual([
    { field: 'What it includes', before: '3 × Drink', after: 'Empty' },
    { field: 'How many', before: 'No limit', after: '40' },
    { field: 'Description', before: null, after: null },
  ])
  await app.call(extrasApi.removeExtras, { extrasId: id, eventId: event.id }, token)
  expect(await latestEntry(app, token, club.id)).toMatchObject({ action: 'Voucher taken off sale', about: 'Drinks' })

  const save = (formQuestions: Input<typeof formApi.save>['payload']['formQuestions'], rmQIds: number[] = []) =>
    app.call(formApi.save, { payload: { eventId: event.id, formQuestions, rmQIds, phoneField: 'off' } }, token)
  const shirt = { typeId: 4, text: 'T-shirt', required: false, options: ['S', 'M'] }
  const [first, second] = await save([shirt, { typeId: 0, text: 'Meal', required: false, options: [] }])
  const asked = await latestEntry(app, token, club.id)
  expect(asked).toMatchObject({ action: 'Registration form edited', event: { id: event.id } })
  expect(asked.changes).toEqual([
    { field: 'Phone number', before: 'Required', after: 'Not asked' },
    { field: 'New question', before: null, after: 'T-shirt' },
    { field: 'New question', before: null, after: 'Meal' },
  ])
  await save([{ ...shirt, id: first?.id, required: true, options: ['S', 'M', 'L'] }], [second?.id ?? 0])
  expect((await latestEntry(app, token, club.id)).changes).toEqual([
    { field: 'Answer required (“T-shirt”)', before: 'No', after: 'Yes' },
    { field: 'Options (“T-shirt”)', before: 'S, M', after: 'S, M, L' },
    { field: 'Question removed', before: 'Meal', after: null },
  ])
})

test('what staff do with attendees is in it, and neither what visitors do nor any personal data or secret', async () => {
  const { club, token, event } = await makeFixture(app)
  const drinks = await makeExtras(app, token, event.id)
  const before = (await readWholeHistory(app, token, club.id)).length
  const ticket = await makeRegistration(app, event, { name: 'Vera Visitor', email: 'vera@secret.example' })
  expect(await readWholeHistory(app, token, club.id)).toHaveLength(before)
  const { id, qrUuid } = ticket
  const data = { name: 'Vera Visitor', email: 'other@secret.example', phone: '+49 30 7654321', others: [] }
  await app.call(checkinApi.scanByRegistrationId, scanOf(ticket), token)
  await app.call(
    checkinApi.save,
    { payload: { newCheckin: { registrationId: id, status: false }, eventId: event.id } },
    token,
  )
  const payload = { id, eventId: event.id, registrationData: data, extrasIds: [drinks.id, drinks.id] }
  await app.call(attendeeApi.save, { payload }, token)
  await app.call(attendeeApi.sendTicket, { registrationId: id, eventId: event.id }, token)
  await app.call(attendeeApi.updateStatus, { payload: { id, eventId: event.id, status: 'cancelled' } }, token)
  const entries = (await readWholeHistory(app, token, club.id)).slice(0, 6)
  expect(actionsOf(entries)).toEqual([
    'Registration cancelled',
    'Ticket sent again',
    'Registration corrected',
    'Vouchers given out: 2 × Drinks',
    'Check-in undone',
    'Checked in',
  ])
  for (const entry of entries)
    expect(entry).toMatchObject({ about: 'Vera Visitor', registrationId: id, event: { id: event.id } })
  expect(entries[0]?.changes).toEqual([{ field: 'Status', before: 'Confirmed', after: 'Cancelled' }])
  expect(entries[2]?.changes).toEqual([
    { field: 'E-mail', before: null, after: null },
    { field: 'Phone number', before: null, after: null },
  ])
  const all = JSON.stringify(await readWholeHistory(app, token, club.id))
  for (const secret of ['secret.example', '7654321', qrUuid, qrUuid.slice(0, 8).toUpperCase(), 'purchaseId'])
    expect(all).not.toContain(secret)
  const logged = JSON.stringify(await app.deps.db.selectFrom('changes').select(['before', 'after']).execute())
  expect(logged).not.toContain('secret.example')
  await app.call(attendeeApi.removeRegistration, { registrationId: id, eventId: event.id }, token)
  expect(await latestEntry(app, token, club.id)).toMatchObject({
    action: 'Registration removed for good',
    about: `Removed registration ${id}`,
    event: { id: event.id },
    registrationId: null,
  })
  expect(JSON.stringify(await readWholeHistory(app, token, club.id))).not.toContain('Vera')
})

test('somebody added at the door is in the history of the event', async () => {
  const { club, token, event } = await makeFixture(app)
  const registrationData = { name: 'Wanda Walk-in', email: '', phone: '', others: [] }
  await app.call(attendeeApi.save, { payload: { eventId: event.id, registrationData, extrasIds: [] } }, token)
  const { entries } = await readHistory(app, token, club.id, { eventId: event.id, subject: 'attendees' })
  expect(entries).toMatchObject([{ action: 'Attendee added', about: 'Wanda Walk-in' }])
})

test('changes of the team and the club are in it, the operator’s too, and who has left is still named', async () => {
  const { club, admin, token, sudo, event } = await makeFixture(app)
  const { member } = await makeMember(app, { clubId: club.id, token }, 'door', [event.id])
  await app.call(
    appUserApi.save,
    { payload: { ...memberFields(member), teamRole: 'treasurer', eventIds: null } },
    token,
  )
  const { entries } = await readHistory(app, token, club.id, { subject: 'team' })
  expect(entries[0]).toMatchObject({ action: 'Role changed', about: member.fullName, by: admin.fullName })
  expect(entries[0]?.changes).toEqual([
    { field: 'Role', before: 'Door helper', after: 'Treasurer' },
    { field: 'Works at', before: 'Summer party', after: 'All events' },
  ])
  const renamed = memberFields(member)
  const current = await app.call(appUserApi.getAppUsers, { clubId: club.id }, token)
  const version = current.admins.find(({ id }) => id === member.id)?.version
  await app.call(appUserApi.save, { payload: { ...renamed, email: 'new@hidden.example', version } }, token)
  expect((await latestEntry(app, token, club.id)).changes).toEqual([{ field: 'E-mail', before: null, after: null }])

  await app.call(clubApi.save, { id: club.id, listed: true, language: 'de', description: 'Rowing' }, sudo.token)
  const byOperator = (await readHistory(app, token, club.id, { by: 'operator' })).entries
  expect(byOperator[0]).toMatchObject({ by: 'The operator', action: 'Club settings changed', event: null })
  expect(byOperator[0]?.changes).toEqual([
    { field: 'Found on the start page', before: 'No', after: 'Yes' },
    { field: 'Main language', before: 'English', after: 'German' },
    { field: 'Description', before: null, after: null },
  ])
  expect(actionsOf(byOperator)).toEqual(['Club settings changed', 'Added to the team', 'Club added'])
  expect(JSON.stringify(byOperator)).not.toContain('Sue Do')

  const { member: second, token: ofSecond } = await makeMember(app, { clubId: club.id, token }, 'owner')
  await app.call(eventApi.save, { id: event.id, name: 'Spring party' }, ofSecond)
  const invited = await app.call(
    teamApi.invite,
    {
      payload: {
        clubId: club.id,
        fullName: 'Ina Invited',
        email: 'ina@hidden.example',
        teamRole: 'manager',
        eventIds: null,
      },
    },
    token,
  )
  for (const { id } of [second, invited])
    await app.call(appUserApi.removeAppUser, { appUserId: id, clubId: club.id }, token)
  const [withdrawn, removed, invitation, edited] = (await readHistory(app, token, club.id)).entries
  expect(withdrawn).toMatchObject({ action: 'Removed from the team', about: 'Somebody who had not joined' })
  expect(removed).toMatchObject({ action: 'Removed from the team', about: second.fullName, by: admin.fullName })
  expect(invitation).toMatchObject({ action: 'Invited to the team', about: 'Somebody who had not joined' })
  expect(edited).toMatchObject({ action: 'Event edited', by: second.fullName })
  expect(await app.call(historyApi.getPeople, { clubId: club.id }, token)).toEqual([
    { id: admin.id, name: admin.fullName, hasLeft: false },
    { id: member.id, name: member.fullName, hasLeft: false },
    { id: second.id, name: second.fullName, hasLeft: true },
  ])
  const byGone = (await readHistory(app, token, club.id, { by: String(second.id) })).entries
  expect(actionsOf(byGone)).toEqual(['Event edited'])
  expect(JSON.stringify(await readWholeHistory(app, token, club.id))).not.toContain('hidden.example')
})

/** The fields with which somebody is saved as they are. */
function memberFields({
  id,
  fullName,
  email,
  clubId,
}: {
  id: number
  fullName: string
  email: string
  clubId: number | null
}) {
  return { id, fullName, email, clubId }
}
