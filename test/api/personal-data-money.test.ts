import { expect, test } from 'vitest'
import { paymentApi } from '../../src/contract/payments.ts'
import { personalDataApi } from '../../src/contract/personal-data.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import { tokenFor } from '../support/make.ts'
import { app, bank, begin, mailsTo, paying, pricedFixture, setUpPayingApp } from '../support/paying.ts'

setUpPayingApp()

test('somebody whose money is under way is kept until it is settled', async () => {
  const { event, admin, club } = await pricedFixture()
  const { registration } = await begin(event)
  app.clock.now = new Date(event.endsAt.getTime() + 60_000)
  const token = await tokenFor(app, admin.id)
  const key = `registration:${registration.id}`
  const erase = () => app.call(personalDataApi.deleteRecords, { payload: { clubId: club.id, keys: [key] } }, token)
  expect(await erase()).toMatchObject({ deleted: 0, kept: [{ key, kept: 'money' }] })
  await paying.finishPayments()
  expect(await erase()).toEqual({ deleted: 1, kept: [] })
})

test('somebody who paid for a ticket and gave it away is kept as long as the money may go back', async () => {
  const { event, club, token } = await pricedFixture()
  const { registration, session } = await begin(event)
  await bank.pay(session)
  const { id: registrationId, qrUuid, registrationData: payer } = registration
  const bo = { name: 'Bo', email: 'bo@example.org', phone: '030 7654321', others: [] }
  await app.call(ticketApi.handOn, { payload: { registrationId, qrUuid, registrationData: bo } })
  await app.finishMails()
  const find = async () =>
    (await app.call(personalDataApi.findRecords, { clubId: club.id, search: payer.email }, token)).records[0]
  const erase = (key: string) =>
    app.call(personalDataApi.deleteRecords, { payload: { clubId: club.id, keys: [key] } }, token)
  const key = (await find())?.key ?? ''
  expect(await erase(key)).toMatchObject({ deleted: 0, kept: [{ kind: 'holder', kept: 'paid' }] })
  await app.call(paymentApi.refund, { payload: { eventId: event.id, registrationId } }, token)
  expect((await find())?.kept).toBe('money')
  await paying.finishPayments()
  expect((await find())?.kept).toBe('mail')
  await app.finishMails()
  expect(mailsTo(payer.email)).toContain('Your money goes back: Summer party')
  expect(await erase(key)).toEqual({ deleted: 1, kept: [] })
})
