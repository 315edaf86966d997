import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { checkinApi } from '../../src/contract/checkins.ts'
import { formatFields } from '../../src/contract/errors.ts'
import { extrasApi } from '../../src/contract/extras.ts'
import { redemptionApi } from '../../src/contract/redemptions.ts'
import { statisticsApi } from '../../src/contract/statistics.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import { ticketUrl, voucherCode, voucherUrl } from '../../src/contract/values/ticket-codes.ts'
import { makeEvent, makeExtras, makeFixture, makeRegistration } from '../support/make.ts'
import { countOutcomes, refusalOf } from '../support/outcomes.ts'
import { BASE_URL } from '../support/start-app.ts'
import { app, buy, drinks, fixture, register, scan, sell, setUpVouchers, vouchersOf } from '../support/vouchers.ts'

setUpVouchers()

describe('vouchers on sale', () => {
  test('are added, edited, put in order and taken off sale; what was bought stays as it was', async () => {
    const first = await sell({ name: 'Dinner', content: [{ name: 'Meal', quantity: 1 }] })
    const second = await sell({ name: 'Drinks', content: drinks })
    const registration = await register([second.id, second.id])
    const payload = { eventId: fixture.event.id, extrasIds: [second.id, first.id] }
    const sorted = await app.call(extrasApi.sortExtras, { payload }, fixture.token)
    expect(sorted.map(({ name, soldCount }) => [name, soldCount])).toEqual([
      ['Drinks', 2],
      ['Dinner', 0],
    ])
    await makeExtras(app, fixture.token, fixture.event.id, { id: second.id, name: 'Other', content: [] })
    await app.call(extrasApi.removeExtras, { eventId: fixture.event.id, extrasId: second.id }, fixture.token)
    expect((await app.call(extrasApi.getExtras, { eventId: fixture.event.id })).map(({ id }) => id)).toEqual([first.id])
    expect(await vouchersOf(registration)).toMatchObject([
      { name: 'Drinks', content: [{ name: 'Drink', quantity: 3, redeemed: 0 }], status: false },
      { name: 'Drinks' },
    ])
    await refusalOf(register([second.id]), 'INVALID_INPUT')
    await refusalOf(
      app.call(extrasApi.removeExtras, { eventId: fixture.event.id, extrasId: second.id }, fixture.token),
      'NOT_FOUND',
    )
  })

  test('are shown to visitors of two events who ask at the same moment, each in its order and currency', async () => {
    const { event, token } = fixture
    const first = await sell({ name: 'Dinner' })
    const second = await sell({ name: 'Drinks' })
    const payload = { eventId: event.id, extrasIds: [second.id, first.id] }
    await app.call(extrasApi.sortExtras, { payload }, token)
    const abroad = await makeEvent(app, token, { currency: 'usd' })
    await makeExtras(app, token, abroad.id, { name: 'Lunch' })
    const shown = async ({ id: eventId }: { id: number }, as?: string) =>
      (await app.call(extrasApi.getExtras, { eventId }, as)).map((voucher) => [
        voucher.name,
        voucher.currency,
        voucher.soldAmount ?? null,
      ])
    expect(await Promise.all([shown(event), shown(abroad), shown(event), shown(event, token)])).toEqual([
      [
        ['Drinks', 'eur', null],
        ['Dinner', 'eur', null],
      ],
      [['Lunch', 'usd', null]],
      [
        ['Drinks', 'eur', null],
        ['Dinner', 'eur', null],
      ],
      [
        ['Drinks', 'eur', 0],
        ['Dinner', 'eur', 0],
      ],
    ])
  })

  test('have a limit that holds for everybody at once, on two servers, and gives no seat without them', async () => {
    // So many requests from one address at once would need a proof of work.
    app.deps.settings.limits = false
    const { id } = await sell({ maxQuantity: 10 })
    const other = await app.another()
    const tries = Array.from({ length: 40 }, (_, index) => register([id, id], index % 2 === 0 ? app : other))
    expect(await countOutcomes(tries)).toEqual({ ok: 5, VOUCHER_SOLD_OUT: 35 })
    expect(await app.call(extrasApi.getExtras, { eventId: fixture.event.id })).toMatchObject([{ soldCount: 10 }])
    expect((await app.call(attendeeApi.getAttendees, asked({}), fixture.token)).total).toBe(5)
    await refusalOf(makeExtras(app, fixture.token, fixture.event.id, { id, maxQuantity: 9 }), 'CAPACITY_BELOW_TAKEN')
  })

  test('are free again when a registration is cancelled, and must be there when it is confirmed again', async () => {
    const { id } = await sell({ maxQuantity: 1 })
    const registration = await register([id])
    const setStatus = (status: 'cancelled' | 'confirmed') =>
      app.call(
        attendeeApi.updateStatus,
        { payload: { id: registration.id, eventId: fixture.event.id, status } },
        fixture.token,
      )
    await setStatus('cancelled')
    const next = await register([id])
    await refusalOf(setStatus('confirmed'), 'SOLD_OUT')
    await app.call(
      attendeeApi.removeRegistration,
      { registrationId: next.id, eventId: fixture.event.id },
      fixture.token,
    )
    await setStatus('confirmed')
    await refusalOf(register([id]), 'VOUCHER_SOLD_OUT')
  })

  test('with two contents of the same name are refused', async () => {
    const content = [drinks, drinks].flat()
    const refusal = await refusalOf(sell({ content }), 'INVALID_INPUT')
    expect(formatFields(refusal.fields)).toEqual([{ path: 'payload.content.1.name', msg: 'This is there already.' }])
  })

  test('are added to somebody by staff too', async () => {
    const { id: extrasId } = await sell({ content: drinks })
    const { id, registrationData } = await register([])
    const payload = { id, eventId: fixture.event.id, registrationData: { ...registrationData, others: [] } }
    await app.call(attendeeApi.save, { payload: { ...payload, extrasIds: [extrasId] } }, fixture.token)
    await app.call(attendeeApi.save, { payload: { ...payload, extrasIds: [] } }, fixture.token)
    const { attendees } = await app.call(attendeeApi.getAttendees, asked({}), fixture.token)
    expect(attendees.map(({ extras }) => extras.length)).toEqual([1])
  })
})

const asked = (filters: { redeemed?: boolean }) => ({
  eventId: fixture.event.id,
  searchKeyword: '',
  sortBy: 'registration' as const,
  limit: 50,
  ...filters,
})

describe('at the voucher scanner', () => {
  test('a voucher shown 50 times at once to two servers is redeemed once', async () => {
    const { voucher } = await buy()
    const other = await app.another()
    const qrCodeData = voucherUrl(BASE_URL, voucher)
    const scans = Array.from({ length: 50 }, (_, index) =>
      scan({ qrCodeData, scanId: randomUUID() }, index % 2 === 0 ? app : other),
    )
    expect(await countOutcomes(scans)).toEqual({ ok: 1, ALREADY_REDEEMED: 49 })
    const refusal = await refusalOf(scan({ qrCodeData }), 'ALREADY_REDEEMED')
    expect(refusal.message).toBe('Drinks was redeemed at 19:00.')
  })

  test('ten simultaneous requests for three units redeem exactly three', async () => {
    const { voucher } = await buy()
    const qrCodeData = voucherUrl(BASE_URL, voucher)
    const one = [{ name: 'Drink', count: 1 }]
    await refusalOf(scan({ qrCodeData, units: [{ name: 'Drink', count: 4 }] }), 'ALREADY_REDEEMED')
    await refusalOf(scan({ qrCodeData, units: [{ name: 'Meal', count: 1 }] }), 'INVALID_INPUT')
    const scans = Array.from({ length: 10 }, () => scan({ qrCodeData, units: one, scanId: randomUUID() }))
    expect(await countOutcomes(scans)).toEqual({ ok: 3, ALREADY_REDEEMED: 7 })
    const undo = (units?: typeof one) =>
      app.call(
        redemptionApi.undoRedemption,
        { payload: { extrasPurchaseId: voucher.id, eventId: fixture.event.id, ...(units && { units }) } },
        fixture.token,
      )
    expect(await undo(one)).toMatchObject({ status: false, content: [{ name: 'Drink', quantity: 3, redeemed: 2 }] })
    expect(await countOutcomes(Array.from({ length: 4 }, () => undo(one)))).toEqual({ ok: 2, ILLEGAL_TRANSITION: 2 })
    await refusalOf(undo(), 'ILLEGAL_TRANSITION')
    const timeline = await app.call(
      attendeeApi.getTimeline,
      { registrationId: voucher.registrationId, eventId: fixture.event.id },
      fixture.token,
    )
    expect(timeline.map(({ text }) => text)).toContain('Redeemed: 1 × Drink')
    expect(timeline.map(({ text }) => text)).toContain('Redemption undone: 1 × Drink')
  })

  test('a repeated scanId redeems once, and is refused for anything else', async () => {
    const { voucher } = await buy()
    const [qrCodeData, scanId] = [voucherUrl(BASE_URL, voucher), randomUUID()]
    const units = [{ name: 'Drink', count: 1 }]
    const scans = Array.from({ length: 10 }, () => scan({ qrCodeData, scanId, units }))
    expect(await countOutcomes(scans)).toEqual({ ok: 10 })
    expect((await scan({ qrCodeData, scanId, units })).extrasPurchase?.content).toMatchObject([{ redeemed: 1 }])
    await refusalOf(scan({ qrCodeData, scanId, units: [{ name: 'Drink', count: 2 }] }), 'INVALID_INPUT')
  })

  test('a repeated scan from before answers were in several languages keeps its sentence', async () => {
    const { voucher } = await buy()
    const again = {
      qrCodeData: voucherUrl(BASE_URL, voucher),
      scanId: randomUUID(),
      units: [{ name: 'Drink', count: 4 }],
    }
    await refusalOf(scan(again), 'ALREADY_REDEEMED')
    await sql`UPDATE scans SET outcome = outcome - 'notRedeemed' || '{"text": "Only 3 of Drink are left."}'
      WHERE scan_id = ${again.scanId}`.execute(app.deps.db)
    const refusal = await refusalOf(scan(again), 'ALREADY_REDEEMED')
    expect(refusal.message).toBe('Only 3 of Drink are left.')
  })

  test('a ticket lists its vouchers, of which those chosen are redeemed, all or none', async () => {
    const [food, drink] = [await sell({ name: 'Food' }), await sell({ name: 'Drinks', content: drinks })]
    const registration = await register([food.id, drink.id])
    const qrCodeData = ticketUrl(BASE_URL, registration)
    const listed = await scan({ qrCodeData })
    expect(listed.extrasPurchase).toBeNull()
    expect(listed.extrasPurchases.map(({ name, status }) => [name, status])).toEqual([
      ['Food', false],
      ['Drinks', false],
    ])
    const ids = listed.extrasPurchases.map(({ id }) => id)
    const { voucher: foreign } = await buy()
    await refusalOf(scan({ qrCodeData, extrasPurchaseIds: [foreign.id] }), 'INVALID_INPUT')
    const redeemed = await scan({ qrCodeData, extrasPurchaseIds: ids.slice(0, 1) })
    expect(redeemed.extrasPurchases.map(({ status }) => status)).toEqual([true, false])
    await refusalOf(scan({ qrCodeData, extrasPurchaseIds: ids }), 'ALREADY_REDEEMED')
    expect((await vouchersOf(registration)).map(({ status }) => status)).toEqual([true, false])
  })

  test('a code that is not a voucher of this event is refused, with its reason', async () => {
    const { registration, voucher } = await buy()
    const url = voucherUrl(BASE_URL, voucher)
    const other = await makeFixture(app)
    const elsewhere = await makeRegistration(app, other.event)
    await refusalOf(scan({ qrCodeData: 'https://example.org' }), 'INVALID_QR')
    await refusalOf(scan({ qrCodeData: voucherUrl(BASE_URL, { ...voucher, qrUuid: randomUUID() }) }), 'NOT_FOUND')
    await refusalOf(scan({ qrCodeData: ticketUrl(BASE_URL, elsewhere) }), 'NOT_FOUND')
    await refusalOf(scan({ qrCodeData: url, eventId: other.event.id }, app, other.token), 'NOT_FOUND')
    await refusalOf(
      app.call(
        checkinApi.scanByRegistrationId,
        { payload: { qrCodeData: url, eventId: fixture.event.id } },
        fixture.token,
      ),
      'WRONG_SCANNER',
    )
    await refusalOf(
      app.call(
        checkinApi.scanByRegistrationId,
        { payload: { qrCodeData: voucherCode(voucher), eventId: fixture.event.id } },
        fixture.token,
      ),
      'WRONG_SCANNER',
    )
    const payload = { id: registration.id, eventId: fixture.event.id, status: 'cancelled' as const }
    await app.call(attendeeApi.updateStatus, { payload }, fixture.token)
    await refusalOf(scan({ qrCodeData: url }), 'TICKET_CANCELLED')
  })

  test('its short code can be typed, and its holder sees it with its secret alone', async () => {
    const { registration, voucher } = await buy()
    await scan({ qrCodeData: voucherCode(voucher).toLowerCase() })
    const holder = { extrasPurchaseId: voucher.id, qrUuid: voucher.qrUuid }
    expect(await app.call(redemptionApi.getVoucher, holder)).toMatchObject({
      holder: registration.registrationData.name,
      isValid: true,
      isUnpaid: false,
      extrasPurchase: { status: true, content: [{ name: 'Drink', quantity: 3, redeemed: 3 }] },
    })
    await refusalOf(app.call(redemptionApi.getVoucher, { ...holder, qrUuid: randomUUID() }), 'NOT_FOUND')
    await refusalOf(app.call(redemptionApi.getVoucher, { ...holder, qrUuid: 'x' }), 'NOT_FOUND')
  })
})

test('list, statistics, ticket mail and PDF include the vouchers', async () => {
  const { registration, voucher } = await buy()
  await register([])
  const names = async (redeemed: boolean) =>
    (await app.call(attendeeApi.getAttendees, asked({ redeemed }), fixture.token)).attendees.map(({ rId }) => rId)
  expect([await names(false), await names(true)]).toEqual([[registration.id], []])
  await scan({ qrCodeData: voucherUrl(BASE_URL, voucher) })
  expect([await names(false), await names(true)]).toEqual([[], [registration.id]])
  const statistics = await app.call(
    statisticsApi.getStatistics,
    { eventId: fixture.event.id, date: '2026-11-20' },
    fixture.token,
  )
  expect(statistics.vouchers).toEqual([{ name: 'Drinks', sold: 1, redeemed: 1 }])
  await app.finishMails()
  const mail = app.sent.find(({ to }) => to === registration.registrationData.email)
  expect(mail?.attachments?.map(({ filename }) => filename)).toContain(`voucher-${voucher.id}.png`)
  expect(mail?.text).toContain(voucherCode(voucher))
  const { id: registrationId, qrUuid } = registration
  const pdf = await app.raw(ticketApi.getTicketPdf, { registrationId, qrUuid })
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const document = await getDocument({ data: new Uint8Array(await pdf.arrayBuffer()), verbosity: 0 }).promise
  expect(document.numPages).toBe(2)
})

test('several vouchers of one kind are numbered in the mail and on the PDF; their codes do not break in a line', async () => {
  const { id } = await sell()
  const registration = await register([id, id])
  await app.finishMails()
  const mail = app.sent.find(({ to }) => to === registration.registrationData.email)
  const { id: registrationId, qrUuid } = registration
  const pdf = await app.raw(ticketApi.getTicketPdf, { registrationId, qrUuid })
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const document = await getDocument({ data: new Uint8Array(await pdf.arrayBuffer()), verbosity: 0 }).promise
  for (const [index, voucher] of (await vouchersOf(registration)).entries()) {
    const title = `Voucher: Drinks ${index + 1} of 2`
    expect(mail?.text).toContain(title)
    expect(mail?.html).toMatch(new RegExp(`white-space:nowrap">${voucherCode(voucher)}<`))
    // Both are on the page after the ticket.
    const { items } = await (await document.getPage(2)).getTextContent()
    expect(items.map((item) => ('str' in item ? item.str : '')).join('')).toContain(title)
  }
})

test('a voucher with many contents says all of them on the PDF', async () => {
  const names = ['Glass of wine', 'Bowl of soup', 'Vegetarian main course', 'Slice of cake', 'Cup of coffee']
  const { registration } = await buy({ content: names.map((name) => ({ name, quantity: 2 })) })
  const { id: registrationId, qrUuid } = registration
  const pdf = await app.raw(ticketApi.getTicketPdf, { registrationId, qrUuid })
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const document = await getDocument({ data: new Uint8Array(await pdf.arrayBuffer()), verbosity: 0 }).promise
  const { items } = await (await document.getPage(document.numPages)).getTextContent()
  const text = items
    .map((item) => ('str' in item ? item.str : ''))
    .join('')
    .replaceAll(/\s/g, '')
  for (const name of names) expect(text).toContain(name.replaceAll(' ', ''))
})

test('several units are redeemed all together or not at all', async () => {
  const content = [
    { name: 'Beer', quantity: 2 },
    { name: 'Sausage', quantity: 1 },
  ]
  const { registration, voucher } = await buy({ content })
  const qrCodeData = voucherUrl(BASE_URL, voucher)
  await scan({ qrCodeData, units: [{ name: 'Sausage', count: 1 }] })
  const both = [
    { name: 'Beer', count: 2 },
    { name: 'Sausage', count: 1 },
  ]
  await refusalOf(scan({ qrCodeData, units: both }), 'ALREADY_REDEEMED')
  expect((await vouchersOf(registration))[0]?.content).toMatchObject([{ redeemed: 0 }, { redeemed: 1 }])
  const payload = { extrasPurchaseId: voucher.id, eventId: fixture.event.id, units: both }
  await refusalOf(app.call(redemptionApi.undoRedemption, { payload }, fixture.token), 'ILLEGAL_TRANSITION')
  expect((await vouchersOf(registration))[0]?.content).toMatchObject([{ redeemed: 0 }, { redeemed: 1 }])
})
