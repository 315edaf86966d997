import { expect, test } from 'vitest'
import { eventApi } from '../../src/contract/events.ts'
import { paymentApi } from '../../src/contract/payments.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import { refusalOf } from '../support/outcomes.ts'
import { app, bank, begin, mailsTo, paying, pricedFixture, setUpPayingApp, ticketOf } from '../support/paying.ts'

setUpPayingApp()

/** A paid ticket that its buyer has handed on to Bo, with the bank's session and Bo's code. */
async function handedOn() {
  const { event, token } = await pricedFixture()
  const { registration, session } = await begin(event)
  await bank.pay(session)
  const registrationData = { name: 'Bo', email: 'bo@example.org', phone: '030 7654321', others: [] }
  const { id, qrUuid } = registration
  await app.call(ticketApi.handOn, { payload: { registrationId: id, qrUuid, registrationData } })
  const row = await app.deps.db.selectFrom('registrations').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  await app.finishMails()
  app.sent.length = 0
  return { event, token, session, payer: registration.registrationData.email, ticket: { id, qrUuid: row.qrUuid } }
}

test('whoever paid for a ticket and handed it on does not learn its new code from the bank', async () => {
  const { session, ticket } = await handedOn()
  const status = await app.call(paymentApi.sessionStatus, { sessionId: session })
  expect(status).toMatchObject({ status: 'complete', registrationId: ticket.id, qrUuid: '' })
  expect(await ticketOf(ticket)).toMatchObject({ receipt: null, payment: null })
})

test('refunded, the money goes to whoever paid, who is told of it, and the new holder that the ticket is void', async () => {
  const { event, token, payer, ticket } = await handedOn()
  await app.call(paymentApi.refund, { payload: { eventId: event.id, registrationId: ticket.id } }, token)
  await paying.finishPayments()
  await app.finishMails()
  expect(bank.ledger()).toMatchObject([{ charged: 2500, refunded: 2500 }])
  expect(mailsTo(payer)).toEqual(['Your money goes back: Summer party'])
  expect(mailsTo('bo@example.org')).toEqual(['Your registration was cancelled: Summer party'])
  expect(app.sent.find(({ to }) => to === 'bo@example.org')?.text).not.toContain('25.00')
  const toPayer = app.sent.find(({ to }) => to === payer)
  expect(toPayer?.text).not.toContain('stays valid')
  expect(toPayer?.attachments ?? []).toEqual([])
  await refusalOf(
    app.call(ticketApi.getTicketPdf, { registrationId: ticket.id, qrUuid: ticket.qrUuid }),
    'TICKET_CANCELLED',
  )
})

test('when the event is called off, whoever paid is told of the money, and the new holder of the event', async () => {
  const { event, token, payer } = await handedOn()
  await app.call(eventApi.save, { id: event.id, status: 'cancelled' }, token)
  await paying.finishPayments()
  await app.finishMails()
  expect(bank.ledger()).toMatchObject([{ charged: 2500, refunded: 2500 }])
  expect([mailsTo(payer), mailsTo('bo@example.org')]).toEqual([
    ['Your money goes back: Summer party'],
    ['Cancelled: Summer party'],
  ])
})
