import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { checkinApi } from '../../src/contract/checkins.ts'
import type { Event } from '../../src/contract/event.ts'
import { extrasApi } from '../../src/contract/extras.ts'
import { paymentApi } from '../../src/contract/payments.ts'
import { redemptionApi } from '../../src/contract/redemptions.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { statisticsApi } from '../../src/contract/statistics.ts'
import { ticketTypeApi } from '../../src/contract/ticket-types.ts'
import { voucherUrl } from '../../src/contract/values/ticket-codes.ts'
import { lockEvent } from '../../src/server/places/seat-queries.ts'
import { makeExtras, registrationFor, scanOf } from '../support/make.ts'
import { app, bank, later, MINUTE, paying, pricedFixture, setUpPayingApp, tell, ticketOf } from '../support/paying.ts'
import { until } from '../support/serve.ts'
import { BASE_URL } from '../support/start-app.ts'
import { verify } from '../support/verify.ts'
import { countWaiting } from '../support/waiting.ts'

setUpPayingApp()

/** An event with adults' tickets for 25.00, children's for 10.00 and drinks for 5.00; an adult and a child have paid for a drink too. */
async function soldOut() {
  const { event, token } = await pricedFixture()
  const [first] = await app.call(ticketTypeApi.getTicketTypes, { eventId: event.id })
  const ticketTypes = [
    { id: first?.id, name: 'Adult' },
    { name: 'Child', price: 1000 },
  ]
  const payload = { eventId: event.id, ticketTypes }
  const [adultType, childType] = await app.call(ticketTypeApi.saveTicketTypes, { payload }, token)
  const drinks = await makeExtras(app, token, event.id, { price: 500 })
  const buy = async (ticketTypeId = 0) => {
    const request = registrationFor(event)
    const newRegistration = { ...request.newRegistration, ticketTypeId }
    const input = { ...request, newRegistration, extrasIds: [drinks.id] }
    const { savedRegistration, checkoutUrl } = await app.call(registrationApi.initRegistration, input)
    const session = /cs_test_\w+/.exec(checkoutUrl ?? '')?.[0] ?? ''
    await bank.pay(session)
    return { registration: savedRegistration, session, of: { registrationId: savedRegistration.id, eventId: event.id } }
  }
  return { event, token, adult: await buy(adultType?.id), child: await buy(childType?.id) }
}

/** The kept counts as staff see them, once they were compared with the rows. */
async function counted(event: Event, token: string) {
  await verify(app.deps.db)
  const { ticketTypes, vouchers, income, totalCheckinCount } = await app.call(
    statisticsApi.getStatistics,
    { eventId: event.id, date: '2026-11-20' },
    token,
  )
  const [drinks] = await app.call(extrasApi.getExtras, { eventId: event.id }, token)
  return {
    types: ticketTypes.map(({ name, checkedIn, paid }) => [name, checkedIn, paid]),
    vouchers: vouchers.map(({ sold, redeemed }) => [sold, redeemed]),
    drinks: [drinks?.soldCount, drinks?.unpaidCount, drinks?.redeemedCount, drinks?.soldAmount],
    income: income && [income.paid, income.refunded],
    totalCheckinCount,
  }
}

test('what was sold, redeemed and paid is counted as people come, cancel and are removed', async () => {
  const { event, token, adult, child } = await soldOut()
  expect(await counted(event, token)).toEqual({
    types: [
      ['Adult', 0, 2500],
      ['Child', 0, 1000],
    ],
    vouchers: [[2, 0]],
    drinks: [2, 0, 0, 1000],
    income: [4500, 0],
    totalCheckinCount: 0,
  })

  await app.call(checkinApi.scanByRegistrationId, scanOf(child.registration), token)
  const [drink] = (await ticketOf(child.registration)).extras
  if (!drink) throw new Error('There is no voucher.')
  const redeemed = { qrCodeData: voucherUrl(BASE_URL, drink), eventId: event.id }
  await app.call(redemptionApi.scanByExtrasPurchaseId, { payload: redeemed }, token)
  expect(await counted(event, token)).toMatchObject({
    types: [
      ['Adult', 0, 2500],
      ['Child', 1, 1000],
    ],
    vouchers: [[2, 1]],
    drinks: [2, 0, 1, 1000],
    totalCheckinCount: 1,
  })

  // As after undoing a payment at the door: the voucher is held, and stays redeemed.
  const { db } = app.deps
  const setStatus = (status: 'pending' | 'confirmed') => {
    const holdExpiresAt = status === 'pending' ? app.clock.now : null
    return db
      .updateTable('registrations')
      .set({ status, holdExpiresAt })
      .where('id', '=', child.registration.id)
      .execute()
  }
  await setStatus('pending')
  const [held] = await app.call(extrasApi.getExtras, { eventId: event.id }, token)
  expect(held).toMatchObject({ soldCount: 2, unpaidCount: 1, redeemedCount: 1, soldAmount: 500 })
  await setStatus('confirmed')

  // Cancelled with a refund, and then removed: the income of who is gone does not count.
  await app.call(paymentApi.refund, { payload: child.of }, token)
  await paying.finishPayments()
  const afterRefund = await counted(event, token)
  expect(afterRefund).toMatchObject({
    types: [
      ['Adult', 0, 2500],
      ['Child', 0, 0],
    ],
    vouchers: [[1, 0]],
    drinks: [1, 0, 0, 500],
    income: [4500, 1500],
    totalCheckinCount: 0,
  })
  await app.call(attendeeApi.removeRegistration, child.of, token)
  expect(await counted(event, token)).toEqual({ ...afterRefund, income: [3000, 0] })

  // Confirmed again after a refund, somebody has a ticket and a drink, and has paid for neither.
  await app.call(paymentApi.refund, { payload: adult.of }, token)
  await paying.finishPayments()
  await app.call(
    attendeeApi.updateStatus,
    { payload: { id: adult.registration.id, eventId: event.id, status: 'confirmed' } },
    token,
  )
  expect(await counted(event, token)).toMatchObject({
    types: [
      ['Adult', 0, 0],
      ['Child', 0, 0],
    ],
    vouchers: [[1, 0]],
    drinks: [1, 0, 0, 0],
    income: [3000, 3000],
  })
})

test('a refund that fails does not count, and one that works later does', async () => {
  const { event, token, adult } = await soldOut()
  await app.call(paymentApi.refund, { payload: { ...adult.of, amount: 700 } }, token)
  await paying.finishPayments()
  expect((await counted(event, token)).income).toEqual([4500, 700])
  await tell('refund.failed', { id: bank.refunds()[0]?.id })
  expect((await counted(event, token)).income).toEqual([4500, 0])
})

test('a refund that fails while staff give money back waits for them, and neither is refused', async () => {
  const { event, token, adult, child } = await soldOut()
  // What was paid and what is given back is counted in two rows then.
  later(60 * MINUTE)
  await app.call(paymentApi.refund, { payload: { ...adult.of, amount: 700 } }, token)
  await paying.finishPayments()
  const { db } = app.deps
  const failing = await db.transaction().execute(async (tx) => {
    await lockEvent(tx, event.id)
    const { id } = await tx
      .updateTable('payments')
      .set({ refunded: 100 })
      .where('registrationId', '=', child.registration.id)
      .returning('id')
      .executeTakeFirstOrThrow()
    const told = tell('refund.failed', { id: bank.refunds()[0]?.id })
    await until(async () => (await countWaiting(db)) > 0, 10_000, 'the failed refund waits')
    const refund = { paymentId: id, amount: 100, reason: 'staff' as const, status: 'done' as const }
    await tx
      .insertInto('refunds')
      .values({ ...refund, runAt: app.clock.now, createdAt: app.clock.now })
      .execute()
    return { told }
  })
  expect(await failing.told).toBe(200)
  expect((await counted(event, token)).income).toEqual([4500, 100])
})

test('check-ins of two ticket types within five minutes are one entry, and a row that is deleted takes its counts along', async () => {
  const { event, token, adult, child } = await soldOut()
  for (const { registration } of [adult, child])
    await app.call(checkinApi.scanByRegistrationId, scanOf(registration), token)
  const asked = { eventId: event.id, date: '2026-11-20' }
  const { arrivals, series } = await app.call(statisticsApi.getStatistics, asked, token)
  expect([arrivals, series]).toMatchObject([[{ checkins: 2 }], [{ registrations: 2, checkins: 2 }]])
  const { db } = app.deps
  await db.updateTable('payments').set({ refunded: 1500 }).where('registrationId', '=', child.registration.id).execute()
  await db.deleteFrom('registrations').where('id', '=', child.registration.id).execute()
  await db.updateTable('events').set({ registrationCount: 1 }).where('id', '=', event.id).execute()
  await sql`update extras set sold_count = 1`.execute(db)
  expect(await counted(event, token)).toMatchObject({ vouchers: [[1, 0]], income: [3000, 0], totalCheckinCount: 1 })
})
