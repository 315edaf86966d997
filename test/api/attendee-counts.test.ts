import { expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { checkinApi } from '../../src/contract/checkins.ts'
import type { Input } from '../../src/contract/endpoint.ts'
import { paymentApi } from '../../src/contract/payments.ts'
import { redemptionApi } from '../../src/contract/redemptions.ts'
import { voucherUrl } from '../../src/contract/values/ticket-codes.ts'
import { MOST_WITH_COUNTS } from '../../src/server/attendees/search-queries.ts'
import { makeEvent, makeExtras, makeFixture, makeRegistration, scanOf } from '../support/make.ts'
import { makeMany } from '../support/make-many.ts'
import { app, bank, begin, pricedFixture, setUpPayingApp } from '../support/paying.ts'
import { BASE_URL } from '../support/start-app.ts'

setUpPayingApp()

type Asked = Partial<Input<typeof attendeeApi.getAttendees>> & { eventId: number }
const list = (token: string, asked: Asked) =>
  app.call(attendeeApi.getAttendees, { searchKeyword: '', sortBy: 'registration', limit: 50, ...asked }, token)

const cancel = (token: string, { id, eventId }: { id: number; eventId: number }) =>
  app.call(attendeeApi.updateStatus, { payload: { id, eventId, status: 'cancelled' } }, token)

test('everybody is counted once, by status and check-in, with and without a search, whichever of them are listed', async () => {
  const { event, token } = await pricedFixture()
  const people: Record<string, Awaited<ReturnType<typeof begin>>['registration']> = {}
  for (const name of ['unpaid', 'come', 'away', 'cancelled', 'cancelled after coming', 'taken back']) {
    const { registration, session } = await begin(event)
    if (name !== 'unpaid') await bank.pay(session)
    people[name] = registration
  }
  const { come, cancelled, 'cancelled after coming': gone, 'taken back': back } = people
  if (!come || !cancelled || !gone || !back) throw new Error('Somebody is missing.')
  for (const each of [come, gone, back]) await app.call(checkinApi.scanByRegistrationId, scanOf(each), token)
  const newCheckin = { registrationId: back.id, status: false }
  await app.call(checkinApi.save, { payload: { newCheckin, eventId: event.id } }, token)
  await cancel(token, cancelled)
  await cancel(token, gone)
  const other = await makeEvent(app, token)
  await app.call(checkinApi.scanByRegistrationId, scanOf(await makeRegistration(app, other)), token)

  const counts = { notIn: 2, in: 1, pending: 1, cancelled: 2 }
  for (const searchKeyword of ['', 'visitor']) {
    const asked = { eventId: event.id, searchKeyword }
    for (const [filters, total] of [
      [{}, 6],
      [{ status: 'confirmed' }, 3],
      [{ status: 'confirmed', checkin: true }, 1],
      [{ status: 'confirmed', checkin: false }, 2],
      [{ status: 'pending' }, 1],
      [{ status: 'cancelled' }, 2],
      [{ status: 'cancelled', checkin: true }, 1],
      [{ status: 'pending', checkin: true }, 0],
      [{ checkin: true }, 2],
      [{ checkin: false }, 4],
    ] as const) {
      const page = await list(token, { ...asked, ...filters })
      expect(page, JSON.stringify({ searchKeyword, ...filters })).toMatchObject({ total, counts })
      expect(page.attendees).toHaveLength(total)
    }
  }
  const one = await list(token, { eventId: event.id, searchKeyword: come.registrationData.email, status: 'cancelled' })
  expect(one).toMatchObject({ total: 0, counts: { notIn: 0, in: 1, pending: 0, cancelled: 0 } })
  const none = await list(token, { eventId: event.id, searchKeyword: 'nobody' })
  expect(none).toMatchObject({ total: 0, counts: { notIn: 0, in: 0, pending: 0, cancelled: 0 } })

  // A later page is read with the count of the first.
  const first = await list(token, { eventId: event.id, limit: 4 })
  const next = await list(token, { eventId: event.id, limit: 4, cursor: first.nextCursor ?? '' })
  expect(next).toMatchObject({ total: 6, counts: null })
  expect(next.attendees).toHaveLength(2)
})

test('a search with many matches is counted and listed like one with few', async () => {
  const { event, token } = await pricedFixture()
  const ids = await makeMany(app, event, MOST_WITH_COUNTS + 1)
  const [first = 0, second = 0, third = 0] = ids
  const newCheckin = { registrationId: first, status: true }
  await app.call(checkinApi.save, { payload: { newCheckin, eventId: event.id } }, token)
  for (const id of [second, third]) await cancel(token, { id, eventId: event.id })
  // One more who matches neither search, and some of another event who would match both.
  await begin(event)
  await makeMany(app, await makeEvent(app, token), 3)
  for (const [searchKeyword, wanted, counts] of [
    ['guest', ids, { notIn: MOST_WITH_COUNTS - 2, in: 1, pending: 0, cancelled: 2 }],
    ['guest 1', ids.filter((_, n) => `${n + 1}`.includes('1')), { notIn: 272, in: 1, pending: 0, cancelled: 0 }],
  ] as const) {
    for (const sortBy of ['registration', 'name'] as const) {
      const asked = { eventId: event.id, searchKeyword, sortBy, limit: 100 }
      const found: number[] = []
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await list(token, { ...asked, ...(cursor && { cursor }) })
        expect(page).toMatchObject({ total: wanted.length, counts: cursor ? null : counts })
        found.push(...page.attendees.map(({ rId }) => rId))
        cursor = page.nextCursor
      }
      if (sortBy === 'registration') expect(found).toEqual([...wanted].reverse())
      else expect(found.sort((one, other) => one - other)).toEqual(wanted)
    }
    for (const [filters, listed] of [
      [{ status: 'confirmed' }, wanted.filter((id) => id !== second && id !== third)],
      [{ status: 'confirmed', checkin: true }, wanted.filter((id) => id === first)],
      [{ checkin: false }, wanted.filter((id) => id !== first)],
      [{ status: 'cancelled' }, wanted.filter((id) => id === second || id === third)],
    ] as const) {
      const page = await list(token, { eventId: event.id, searchKeyword, limit: 100, ...filters })
      expect(page).toMatchObject({ total: listed.length, counts })
      expect(page.attendees.map(({ rId }) => rId)).toEqual([...listed].reverse().slice(0, 100))
    }
  }
})

test('the counts follow the filter by vouchers', async () => {
  const { event, token } = await makeFixture(app)
  const drinks = await makeExtras(app, token, event.id)
  await makeRegistration(app, event)
  const using = await makeRegistration(app, event, { extrasIds: [drinks.id] })
  await makeRegistration(app, event, { extrasIds: [drinks.id] })
  const { attendees } = await list(token, { eventId: event.id })
  const voucher = attendees.find(({ rId }) => rId === using.id)?.extras[0]
  if (!voucher) throw new Error('There is no voucher.')
  const payload = { qrCodeData: voucherUrl(BASE_URL, voucher), eventId: event.id, scanId: crypto.randomUUID() }
  await app.call(redemptionApi.scanByExtrasPurchaseId, { payload }, token)

  for (const redeemed of [true, false]) {
    const page = await list(token, { eventId: event.id, redeemed })
    expect(page).toMatchObject({ total: 1, counts: { notIn: 1, in: 0, pending: 0, cancelled: 0 } })
  }
})

test('each attendee comes with what was paid and given back; nothing for who has not paid', async () => {
  const { event, token } = await pricedFixture()
  const unpaid = await begin(event)
  const paid = await begin(event)
  const refunded = await begin(event)
  for (const { session } of [paid, refunded]) await bank.pay(session)
  const payload = { registrationId: refunded.registration.id, eventId: event.id, amount: 500 }
  await app.call(paymentApi.refund, { payload }, token)
  const guest = { name: 'Guest', email: '', phone: '', others: [] }
  await app.call(attendeeApi.save, { payload: { eventId: event.id, registrationData: guest, extrasIds: [] } }, token)

  const { attendees } = await list(token, { eventId: event.id })
  const paymentOf = (id: number) => attendees.find(({ rId }) => rId === id)?.payment
  expect(paymentOf(unpaid.registration.id)).toBeNull()
  expect(paymentOf(paid.registration.id)).toMatchObject({ paid: 2500, refunded: 0, lost: 0, currency: 'eur' })
  expect(paymentOf(refunded.registration.id)).toMatchObject({ paid: 2500, refunded: 500, lost: 0 })
  expect(attendees.find(({ registration }) => registration.registrationData.name === 'Guest')?.payment).toBeNull()
})
