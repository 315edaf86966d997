import { expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { boardApi } from '../../src/contract/board.ts'
import { checkinApi } from '../../src/contract/checkins.ts'
import { extrasApi } from '../../src/contract/extras.ts'
import { paymentApi } from '../../src/contract/payments.ts'
import { statisticsApi } from '../../src/contract/statistics.ts'
import { makeEvent, makeExtras, makeFixture, makeRegistration, scanOf } from '../support/make.ts'
import { app, bank, begin, paying, pricedFixture, setUpPayingApp, tell } from '../support/paying.ts'

setUpPayingApp()

test('statistics count by the event’s own days, and agree with the list', async () => {
  const { event, token, sudo } = await makeFixture(app)
  app.clock.now = new Date('2026-11-20T22:59:00Z') // 23:59 in Berlin
  const late = await makeRegistration(app, event)
  app.clock.now = new Date('2026-11-20T23:01:00Z') // 00:01 on the next day
  const early = await makeRegistration(app, event)
  const gone = await makeRegistration(app, event)
  await app.call(attendeeApi.updateStatus, { payload: { id: gone.id, eventId: event.id, status: 'cancelled' } }, token)
  await app.call(checkinApi.scanByRegistrationId, scanOf(late), token)
  app.clock.now = new Date('2026-11-20T23:12:00Z')
  await app.call(checkinApi.scanByRegistrationId, scanOf(early), token)
  const read = (date: string, viewer = token) =>
    app.call(statisticsApi.getStatistics, { eventId: event.id, date }, viewer)
  const first = await read('2026-11-20')
  expect(first).toMatchObject({
    historicalRegistrationCount: 1,
    historicalCheckinCount: 0,
    totalRegistrationCount: 2,
    totalCheckinCount: 2,
    arrivals: [],
  })
  const second = await read('2026-11-21', sudo.token)
  expect(second).toMatchObject({ historicalRegistrationCount: 1, historicalCheckinCount: 2 })
  expect(second.series).toEqual([
    { at: new Date('2026-11-19T23:00:00Z'), registrations: 1, checkins: 0 },
    { at: new Date('2026-11-20T23:00:00Z'), registrations: 1, checkins: 2 },
  ])
  expect(second.arrivals).toEqual([
    { at: new Date('2026-11-20T23:00:00Z'), checkins: 1 },
    { at: new Date('2026-11-20T23:05:00Z'), checkins: 0 },
    { at: new Date('2026-11-20T23:10:00Z'), checkins: 1 },
  ])
  expect((await read('1999-01-01')).historicalRegistrationCount).toBe(0)
})

test('income counts by the event’s own days: paid when it was paid, given back when it was refunded', async () => {
  const { event, token } = await pricedFixture()
  const read = () => app.call(statisticsApi.getStatistics, { eventId: event.id, date: '2026-11-20' }, token)
  const payAt = async (time: string) => {
    app.clock.now = new Date(time)
    const { registration, session } = await begin(event)
    await bank.pay(session)
    return { session, of: { registrationId: registration.id, eventId: event.id } }
  }
  expect(await read()).toMatchObject({ income: null, incomeByDay: [], unpaidCount: 0 })
  const late = await payAt('2026-11-20T22:59:00Z') // 23:59 in Berlin
  const early = await payAt('2026-11-20T23:01:00Z') // 00:01 on the next day
  const whole = await payAt('2026-11-20T23:02:00Z')
  await begin(event)
  const [day1, day2, day3] = [19, 20, 21].map((day) => new Date(`2026-11-${day}T23:00:00Z`))
  expect(await read()).toMatchObject({
    income: { paid: 7500, refunded: 0, lost: 0, currency: 'eur' },
    incomeByDay: [
      { at: day1, paid: 2500, refunded: 0, lost: 0 },
      { at: day2, paid: 5000, refunded: 0, lost: 0 },
    ],
    unpaidCount: 1,
    unpaidAmount: 2500,
    totalRegistrationCount: 4,
  })
  // The board counts who is expected by the same rule.
  expect(await app.call(boardApi.getBoard, { eventId: event.id }, token)).toMatchObject({ expected: 3, unpaid: 1 })

  app.clock.now = new Date('2026-11-21T23:00:00Z') // midnight, on the third day
  await app.call(paymentApi.refund, { payload: { ...late.of, amount: 500 } }, token)
  await app.call(paymentApi.refund, { payload: whole.of }, token)
  await paying.finishPayments()
  const intent = bank.ledger().find(({ sessionId }) => sessionId === early.session)?.paymentIntent
  await tell('charge.dispute.closed', { payment_intent: intent, status: 'lost' })
  const after = {
    income: { paid: 7500, refunded: 3000, lost: 2500 },
    incomeByDay: [
      { at: day1, paid: 2500, refunded: 0, lost: 0 },
      { at: day2, paid: 5000, refunded: 0, lost: 2500 },
      { at: day3, paid: 0, refunded: 3000, lost: 0 },
    ],
    // The hold of the one who never paid has ended.
    unpaidCount: 0,
    unpaidAmount: 0,
    totalRegistrationCount: 2,
  }
  expect(await read()).toMatchObject(after)

  // Stripe could not make the smaller refund: that money is still the club's.
  const failed = bank.refunds().find(({ amount }) => amount === 500)
  await tell('refund.failed', { id: failed?.id })
  expect(await read()).toMatchObject({
    income: { paid: 7500, refunded: 2500 },
    incomeByDay: [{ refunded: 0 }, { refunded: 0 }, { refunded: 2500 }],
  })
})

test('income leaves out what another event has earned', async () => {
  const { event, token } = await pricedFixture()
  const other = await makeEvent(app, token, { ticketPrice: 2500 })
  await bank.pay((await begin(other)).session)
  await begin(other)
  const statistics = await app.call(statisticsApi.getStatistics, { eventId: event.id, date: '2026-11-20' }, token)
  expect(statistics).toMatchObject({ income: null, incomeByDay: [], unpaidCount: 0 })
})

test('vouchers of whoever has not paid are held, and sold once they have', async () => {
  const { event, token } = await pricedFixture()
  const drinks = await makeExtras(app, token, event.id, { price: 500 })
  const counts = async () => {
    const [{ soldCount, unpaidCount, soldAmount } = {}] = await app.call(
      extrasApi.getExtras,
      { eventId: event.id },
      token,
    )
    const { vouchers } = await app.call(statisticsApi.getStatistics, { eventId: event.id, date: '2026-11-20' }, token)
    return { soldCount, unpaidCount, soldAmount, inStatistics: vouchers[0]?.sold ?? 0 }
  }
  const { session, registration } = await begin(event, [drinks.id, drinks.id])
  expect(await counts()).toEqual({ soldCount: 2, unpaidCount: 2, soldAmount: 0, inStatistics: 0 })
  await bank.pay(session)
  expect(await counts()).toEqual({ soldCount: 2, unpaidCount: 0, soldAmount: 1000, inStatistics: 2 })
  // Confirmed again after a refund, the vouchers count as sold but bring no income.
  for (const status of ['cancelled', 'confirmed'] as const)
    await app.call(attendeeApi.updateStatus, { payload: { id: registration.id, eventId: event.id, status } }, token)
  expect(await counts()).toEqual({ soldCount: 2, unpaidCount: 0, soldAmount: 0, inStatistics: 2 })
})
