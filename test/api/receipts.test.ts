import { readXlsx } from 'hucre/xlsx'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { paymentApi } from '../../src/contract/payments.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import { type PayingApp, startPayingApp } from '../support/bank.ts'
import { makeExtras, makeFixture, makeRegistration, registrationFor } from '../support/make.ts'
import { verify } from '../support/verify.ts'

let paying: PayingApp
let app: PayingApp['app']
beforeEach(async () => {
  paying = await startPayingApp()
  app = paying.app
})
afterEach(async () => {
  await verify(app.deps.db)
  await paying.stop()
})

/** Somebody who has paid for a ticket and two drinks. */
async function pay(fields: Parameters<typeof makeFixture>[1] = {}) {
  const fixture = await makeFixture(app, { ticketPrice: 2500, ...fields })
  const { id } = await makeExtras(app, fixture.token, fixture.event.id, { price: 700 })
  const answer = await app.call(registrationApi.initRegistration, {
    ...registrationFor(fixture.event),
    extrasIds: [id, id],
  })
  await paying.bank.pay(/cs_test_\w+/.exec(answer.checkoutUrl ?? '')?.[0] ?? '')
  await app.finishMails()
  return { ...fixture, registration: answer.savedRegistration }
}

const ticketOf = ({ id, qrUuid }: { id: number; qrUuid: string }) =>
  app.call(ticketApi.getRegistration, { registrationId: id, qrUuid })

async function textOfPdf(bytes: Uint8Array): Promise<string> {
  const document = await getDocument({ data: bytes, useSystemFonts: false, disableFontFace: true, verbosity: 0 })
    .promise
  const { items } = await (await document.getPage(1)).getTextContent()
  return items.map((item) => ('str' in item ? item.str : '')).join('')
}

test('a paid ticket shows what was paid, for what and when, on its page, in its mail and on the PDF', async () => {
  const { registration, event, token, club } = await pay()
  const { receipt } = await ticketOf(registration)
  expect(receipt).toEqual({
    lines: [
      { kind: 'ticket', name: 'Ticket', quantity: 1, amount: 2500 },
      { kind: 'voucher', name: 'Drinks', quantity: 2, amount: 1400 },
    ],
    paid: 3900,
    refunded: 0,
    paidAt: app.clock.now,
    currency: 'eur',
    isAtDoor: false,
  })
  const [mail] = app.sent.filter(({ subject }) => subject.startsWith('Your ticket'))
  expect(mail?.text).toContain('Paid €39.00 on 20/11/2026\nTicket €25.00 · 2 × Drinks €14.00')
  expect(mail?.text).toContain(`You cannot come? Your ticket is paid, so please write to ${club.name}`)
  expect(mail?.text).not.toContain('#give-back')

  const payload = { registrationId: registration.id, eventId: event.id, amount: 900 }
  await app.call(paymentApi.refund, { payload }, token)
  expect((await ticketOf(registration)).receipt).toMatchObject({ paid: 3900, refunded: 900 })
  const pdf = await app.raw(ticketApi.getTicketPdf, {
    registrationId: registration.id,
    qrUuid: registration.qrUuid,
  })
  const text = await textOfPdf(new Uint8Array(await pdf.arrayBuffer()))
  expect(text.replaceAll(' ', '')).toContain('Ticket€25.002×Drinks€14.00Refunded€9.00Paidon20/11/2026€39.00')
})

test('the spreadsheet adds up to the money received, and shows who has not paid yet', async () => {
  const { registration, event, token } = await pay()
  const payload = { registrationId: registration.id, eventId: event.id, amount: 900 }
  await app.call(paymentApi.refund, { payload }, token)
  const unpaid = await makeRegistration(app, event)
  const columns = ['Id', 'Status', 'Check-in', 'Amount', 'Paid', 'Refunded', 'Net', 'Paid at', 'Currency']
  const cells = async () => {
    const response = await app.raw(attendeeApi.downloadAttendees, { eventId: event.id }, { authorization: token })
    const [head = [], ...rows] = (await readXlsx(Buffer.from(await response.arrayBuffer()))).sheets[0]?.rows ?? []
    return rows.map((row) => columns.map((name) => row[head.indexOf(name)] ?? null))
  }
  const idOf = ({ id }: { id: number }) => String(id).padStart(5, '0')
  expect(await cells()).toEqual([
    [idOf(registration), 'Confirmed', 'Pending', 39, 39, 9, 30, new Date('2026-11-20T19:00:00Z'), 'EUR'],
    [idOf(unpaid), 'Not paid yet', 'Pending', null, null, null, null, null, 'EUR'],
  ])
  await app.deps.db.updateTable('payments').set({ dispute: 'lost' }).execute()
  expect((await cells())[0]?.slice(4, 7)).toEqual([39, 9, 0])
})

test('a free ticket has no receipt, and its mail offers to give the place back', async () => {
  const { event } = await makeFixture(app)
  const registration = await makeRegistration(app, event)
  expect((await ticketOf(registration)).receipt).toBeNull()
  await app.finishMails()
  expect(app.sent[0]?.text).toContain('You cannot come? Give your place back: ')
  expect(app.sent[0]?.text).not.toContain('Paid')
})
