import { readXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { type CodeFields, codeApi } from '../../src/contract/codes.ts'
import { eventApi } from '../../src/contract/events.ts'
import { historyApi } from '../../src/contract/history.ts'
import { paymentApi } from '../../src/contract/payments.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { markErased } from '../../src/server/retention/queries.ts'
import { at, register, sessionIn, typesWith, withCode } from '../support/codes.ts'
import { registrationFor } from '../support/make.ts'
import { companion } from '../support/orders.ts'
import { countOutcomes, refusalOf } from '../support/outcomes.ts'
import { cancel, family } from '../support/paid-orders.ts'
import { app, bank, later, MINUTE, paying, setUpPayingApp, statusOf, ticketOf } from '../support/paying.ts'

setUpPayingApp()

test('a code lowers the price, written in whatever case, and the bank asks for what is left', async () => {
  const { event, eventId, usedCount } = await withCode()
  const prices = (await typesWith(eventId, ' early ')).map(({ name, price, codePrice }) => [name, price, codePrice])
  expect(prices).toEqual([
    ['Adult', 2500, 2000],
    ['Child', 1000, 800],
    ['Baby', 0, null],
  ])
  expect((await typesWith(eventId)).map(({ codePrice }) => codePrice)).toEqual([null, null, null])
  const answer = await register(event, { code: 'eArLy' })
  expect(answer.savedRegistration).toMatchObject({ amount: 2000, discount: 500, status: 'pending' })
  expect(bank.sessions()).toMatchObject([{ amountTotal: 2000 }])
  expect(await usedCount()).toBe(1)
  await bank.pay(sessionIn(answer))
  expect(await statusOf(answer.savedRegistration)).toBe('confirmed')
  expect((await ticketOf(answer.savedRegistration)).receipt?.lines).toMatchObject([{ amount: 2000 }])
})

test('an amount, a fixed price and a free ticket; none makes a ticket dearer', async () => {
  const { event, eventId, save, idOf } = await withCode({ code: 'TENOFF', kind: 'amount', value: 1500 })
  const pricesWith = async (code: string) => (await typesWith(eventId, code)).map(({ codePrice }) => codePrice)
  expect(await pricesWith('TENOFF')).toEqual([1000, 0, null])
  await save({ code: 'FIXED', kind: 'price', value: 1200 })
  expect(await pricesWith('FIXED')).toEqual([1200, null, null])
  const child = companion({ ticketTypeId: idOf('Child') })
  const { registrations } = await register(event, { code: 'FIXED', companions: [child] })
  expect(registrations?.map(({ amount }) => amount)).toEqual([1200, 1000])
  await save({ code: 'CREW', kind: 'percent', value: 100, ticketTypeIds: [idOf('Adult')] })
  expect(await pricesWith('CREW')).toEqual([0, null, null])
  const { savedRegistration, checkoutUrl } = await register(event, { code: 'CREW' })
  expect(savedRegistration).toMatchObject({ amount: 0, discount: 2500, status: 'confirmed' })
  expect(checkoutUrl).toBeNull()
})

test('what cannot be used is refused at its field, with the reason', async () => {
  const { event, eventId, save, code, idOf } = await withCode({ ticketTypeIds: [] })
  const wrong = async (typed: string, ticketTypeId?: number) => {
    const refusal = await refusalOf(
      register(event, { code: typed, ...(ticketTypeId && { ticketTypeId }) }),
      'CODE_NOT_VALID',
    )
    return [refusal.fields[0]?.path, refusal.message]
  }
  expect(await wrong('LATE')).toEqual(['code', 'There is no such code. Check how it is written.'])
  await refusalOf(typesWith(eventId, 'LATE'), 'CODE_NOT_VALID')
  // A free ticket has nothing to make cheaper.
  expect(await wrong('EARLY', idOf('Baby'))).toEqual([
    'code',
    'This code changes nothing for these tickets. Choose others, or clear the code field.',
  ])
  await save({ id: code.id, opensAt: at(60 * MINUTE) })
  expect((await wrong('EARLY'))[1]).toMatch(/^This code can be used from /)
  await save({ id: code.id, opensAt: null, closesAt: at(-1) })
  expect((await wrong('EARLY'))[1]).toBe('This code has expired.')
  expect((await refusalOf(typesWith(eventId, 'EARLY'), 'CODE_NOT_VALID')).message).toBe('This code has expired.')
})

test('a removed code is gone, and its tickets keep their price', async () => {
  const { event, eventId, token, code, codes, save } = await withCode()
  const answer = await register(event, { code: 'EARLY' })
  await app.call(codeApi.removeCode, { payload: { eventId, codeId: code.id } }, token)
  expect(await codes()).toEqual([])
  expect((await refusalOf(register(event, { code: 'EARLY' }), 'CODE_NOT_VALID')).message).toMatch('no such code')
  await bank.pay(sessionIn(answer))
  expect(await ticketOf(answer.savedRegistration)).toMatchObject({ payment: { paid: 2000 } })
  // The same code can be added again, and is another one.
  expect(await save()).toMatchObject({ usedCount: 0 })
})

test('a use is taken with the seat and released with it', async () => {
  const { event, eventId, token, usedCount } = await withCode({ maxUses: 2 })
  const first = await register(event, { code: 'EARLY' })
  await register(event, { code: 'EARLY' })
  const refusal = await refusalOf(register(event, { code: 'EARLY' }), 'CODE_NOT_VALID')
  expect(refusal.payload).toEqual({ left: 0 })
  await cancel(eventId, first.savedRegistration, token)
  expect(await usedCount()).toBe(1)
  await register(event, { code: 'EARLY' })
  expect(await usedCount()).toBe(2)
  // Holds that have ended release theirs, too.
  later(61 * MINUTE)
  await register(event, { code: 'EARLY' })
  expect(await usedCount()).toBe(1)
})

test('of an order, the code is used by each person whom it helps: for all of them, or for nobody', async () => {
  const { event, code, save, usedCount, idOf } = await withCode({ maxUses: 2 })
  const people = (...names: ('Adult' | 'Child' | 'Baby')[]) =>
    names.map((name) => companion({ ticketTypeId: idOf(name) }))
  const refusal = await refusalOf(
    register(event, { code: 'EARLY', companions: people('Child', 'Child', 'Baby') }),
    'CODE_NOT_VALID',
  )
  expect([refusal.payload, refusal.message]).toEqual([
    { left: 2 },
    'This code can be used for only 2 more people. Register the others separately, without it.',
  ])
  expect(await usedCount()).toBe(0)
  const { order, registrations } = await register(event, { code: 'EARLY', companions: people('Child', 'Baby') })
  expect(order).toMatchObject({ amount: 2800, discount: 700 })
  expect(registrations?.map(({ amount, discount }) => [amount, discount])).toEqual([
    [2000, 500],
    [800, 200],
    [0, 0],
  ])
  expect(await usedCount()).toBe(2)
  const fewer = await refusalOf(save({ id: code.id, maxUses: 1 }), 'CAPACITY_BELOW_TAKEN')
  expect(fewer.fields[0]?.path).toBe('payload.maxUses')
})

test('of several at the same moment, as many use a code as can', async () => {
  const { event, usedCount } = await withCode({ maxUses: 3, kind: 'percent', value: 100 })
  const outcomes = Array.from({ length: 9 }, () => register(event, { code: 'EARLY' }))
  expect(await countOutcomes(outcomes)).toEqual({ ok: 3, CODE_NOT_VALID: 6 })
  expect(await usedCount()).toBe(3)
})

test('a hold that has ended is taken up again only while the code can be used again', async () => {
  bank.behave({ webhooks: 'keep' })
  const { event } = await withCode({ maxUses: 1 })
  const late = await register(event, { code: 'EARLY' })
  await bank.pay(sessionIn(late))
  later(31 * MINUTE)
  const { savedRegistration: next } = await register(event, { code: 'EARLY' })
  expect(next.amount).toBe(2000)
  for (const { id, type } of bank.events) if (type === 'checkout.session.completed') await bank.deliver(id)
  await paying.finishPayments()
  // Its money came too late: it goes back, and nobody has the lower price twice.
  expect(await statusOf(late.savedRegistration)).toBe('cancelled')
  expect(bank.ledger()).toMatchObject([{ charged: 2000, refunded: 2000 }])
  expect(await statusOf(next)).toBe('pending')
  later(31 * MINUTE)
  await paying.finishPayments()
  await register(event, { code: 'EARLY' })
  const { id: registrationId, qrUuid } = next
  const refusal = await refusalOf(
    app.call(paymentApi.createCheckout, { payload: { registrationId, qrUuid } }),
    'SOLD_OUT',
  )
  expect(refusal.message).toMatch('has been used by others meanwhile')
})

test('a repeated request is the same registration; with another code it is another request', async () => {
  const { event, save, usedCount, codes } = await withCode({ maxUses: 1 })
  await save({ code: 'OTHER' })
  const request = { ...registrationFor(event), idempotencyKey: 'once' }
  const send = (code: string) => app.call(registrationApi.initRegistration, { ...request, code })
  const first = await send('EARLY')
  expect((await send('EARLY')).savedRegistration.id).toBe(first.savedRegistration.id)
  await refusalOf(send('OTHER'), 'IDEMPOTENCY_MISMATCH')
  // That of the code that was added last, and of the first.
  expect(await usedCount()).toBe(0)
  expect((await codes()).at(-1)?.usedCount).toBe(1)
})

test('bad input names its field', async () => {
  const { event, save, idOf } = await withCode()
  const other = await family()
  const wrong: [Partial<CodeFields>, string][] = [
    [{ code: 'A B' }, 'code'],
    [{ code: 'AB' }, 'code'],
    [{ code: 'early' }, 'code'],
    [{ code: 'NEW', value: 101 }, 'value'],
    [{ code: 'NEW', ticketTypeIds: [other.idOf('Adult')] }, 'ticketTypeIds.0'],
    [{ code: 'NEW', opensAt: new Date(2_000), closesAt: new Date(1_000) }, 'closesAt'],
    // A child would cost 0.20, which no card can be charged.
    [{ code: 'NEW', value: 98 }, 'value'],
    [{ code: 'NEW', maxUses: 0 }, 'maxUses'],
  ]
  for (const [fields, field] of wrong) {
    const { fields: found } = await refusalOf(save(fields), 'INVALID_INPUT')
    expect(found[0]?.path, JSON.stringify(fields)).toBe(`payload.${field}`)
  }
  expect(await save({ code: 'Frühbucher', value: 98, ticketTypeIds: [idOf('Baby')] })).toMatchObject({ usedCount: 0 })
  expect((await typesWith(event.id, 'EARLY')).length).toBe(3)
})

test('an edit meets a newer version, and another event’s codes are not there', async () => {
  const { code, save } = await withCode()
  const other = await withCode()
  await save({ id: code.id, version: code.version, note: 'For members' })
  await refusalOf(save({ id: code.id, version: code.version, value: 30 }), 'EDIT_CONFLICT')
  await refusalOf(other.save({ id: code.id }), 'NOT_FOUND')
  const removal = { payload: { eventId: other.eventId, codeId: code.id } }
  await refusalOf(app.call(codeApi.removeCode, removal, other.token), 'NOT_FOUND')
})

test('list, spreadsheet, timeline and history name the code', async () => {
  const { event, eventId, token, save, code, idOf } = await withCode()
  const { savedRegistration } = await register(event, { code: 'EARLY' })
  await register(event, { ticketTypeId: idOf('Adult') })
  const { attendees } = await app.call(
    attendeeApi.getAttendees,
    { eventId, limit: 10, sortBy: 'registration', searchKeyword: '' },
    token,
  )
  expect(attendees.map((row) => row.code)).toEqual([null, 'EARLY'])
  const timeline = await app.call(attendeeApi.getTimeline, { eventId, registrationId: savedRegistration.id }, token)
  expect(timeline.at(-1)?.text).toBe('Registered with the code EARLY: €5.00 less')
  const file = await app.raw(attendeeApi.downloadAttendees, { eventId }, { authorization: token })
  const [heads = [], ...rows] = (await readXlsx(Buffer.from(await file.arrayBuffer()))).sheets[0]?.rows ?? []
  const column = (name: string) => rows.map((row) => row[heads.indexOf(name)])
  expect([column('Code'), column('Discount')]).toEqual([
    ['EARLY', null],
    [5, null],
  ])
  await save({ id: code.id, kind: 'amount', value: 300, maxUses: 5 })
  const { entries } = await app.call(historyApi.getHistory, { clubId: event.clubId }, token)
  expect(entries[0]).toMatchObject({ action: 'Codes changed' })
  expect(entries[0]?.changes).toEqual([
    { field: 'Price (“EARLY”)', before: '20% off', after: '€3.00 off' },
    { field: 'How many people (“EARLY”)', before: 'No limit', after: '5' },
  ])
})

test('only unknown codes count as guesses, and a hall that uses one at the same moment is no guesser', async () => {
  const { event, eventId } = await withCode()
  await Promise.all(Array.from({ length: 150 }, () => typesWith(eventId, 'EARLY')))
  for (let n = 0; n < 60; n++) await refusalOf(typesWith(eventId, `GUESS${n}`), 'CODE_NOT_VALID')
  await refusalOf(typesWith(eventId, 'EARLY'), 'TOO_MANY_TRIES')
  await refusalOf(register(event, { code: 'EARLY' }), 'TOO_MANY_TRIES')
  // Without a code everything goes on.
  expect((await typesWith(eventId)).length).toBe(3)
})

test('removing a registration releases its use, and confirming it again needs one', async () => {
  const { event, eventId, token, usedCount } = await withCode({ maxUses: 1, value: 100 })
  const { savedRegistration: first } = await register(event, { code: 'EARLY' })
  await cancel(eventId, first, token)
  const { savedRegistration: second } = await register(event, { code: 'EARLY' })
  const confirm = { payload: { eventId, id: first.id, status: 'confirmed' as const } }
  const refusal = await refusalOf(app.call(attendeeApi.updateStatus, confirm, token), 'SOLD_OUT')
  expect(refusal.message).toMatch('has been used by others')
  await app.call(attendeeApi.removeRegistration, { eventId, registrationId: second.id }, token)
  expect(await usedCount()).toBe(0)
  await app.call(attendeeApi.updateStatus, confirm, token)
  expect(await usedCount()).toBe(1)
})

test('a hold that ended is not renewed once its code has ended', async () => {
  for (const end of ['closed', 'removed'] as const) {
    const { event, eventId, token, save, code } = await withCode()
    const { id: registrationId, qrUuid } = (await register(event, { code: 'EARLY' })).savedRegistration
    later(31 * MINUTE)
    await paying.finishPayments()
    if (end === 'closed') await save({ id: code.id, closesAt: at(-1) })
    else await app.call(codeApi.removeCode, { payload: { eventId, codeId: code.id } }, token)
    const again = app.call(paymentApi.createCheckout, { payload: { registrationId, qrUuid } })
    expect((await refusalOf(again, 'REGISTRATION_CLOSED')).message).toMatch('can no longer be used')
  }
})

test('an event cannot change its currency while codes have amounts of it', async () => {
  const { event, token, save, code } = await withCode({ kind: 'amount', value: 500 })
  const change = () => app.call(eventApi.save, { id: event.id, currency: 'gbp' }, token)
  const refusal = await refusalOf(change(), 'INVALID_INPUT')
  expect(refusal.fields[0]?.msg()).toMatch('Codes of this event have amounts')
  await save({ id: code.id, kind: 'percent', value: 5 })
  expect(await change()).toMatchObject({ currency: 'gbp' })
})

test('what staff confirm without payment has no discount, and a note goes with the personal data of its event', async () => {
  const { event, eventId, token, codes } = await withCode({ note: 'For Mia' })
  const { savedRegistration } = await register(event, { code: 'EARLY' })
  await cancel(eventId, savedRegistration, token)
  const confirm = { payload: { eventId, id: savedRegistration.id, status: 'confirmed' as const } }
  await app.call(attendeeApi.updateStatus, confirm, token)
  expect((await ticketOf(savedRegistration)).registration).toMatchObject({ amount: 0, discount: 0 })
  await app.deps.db.transaction().execute((tx) => markErased(tx, eventId, app.clock.now))
  expect(await codes()).toMatchObject([{ note: '', usedCount: 1 }])
})
