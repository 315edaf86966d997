import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { doorApi, type QueuedScan } from '../../src/contract/door.ts'
import { voucherUrl } from '../../src/contract/values/ticket-codes.ts'
import type { AdminCaller } from '../../src/server/access/caller.ts'
import { makeRedeemQueued } from '../../src/server/door/redeem-queued.ts'
import { PASS_ENDED } from '../../src/server/scans/outcome.ts'
import { callerAt } from '../support/caller-at.ts'
import { makeFixture, makeRegistration } from '../support/make.ts'
import { BASE_URL } from '../support/start-app.ts'
import { app, buy, drinks, fixture, register, scan, sell, setUpVouchers, vouchersOf } from '../support/vouchers.ts'

setUpVouchers()

describe('a phone at the bar', () => {
  const device = { id: 'p1', name: 'Bar 1' }
  const send = (scans: QueuedScan[], by = device) =>
    app.call(doorApi.syncScans, { payload: { eventId: fixture.event.id, device: by, scans } }, fixture.token)
  const give = (
    { id: extrasPurchaseId, registrationId }: { id: number; registrationId: number },
    given: number | { name: string; count: number }[],
    scanId: string = randomUUID(),
  ): QueuedScan => ({
    scanId,
    act: {
      kind: 'redeem',
      registrationId,
      extrasPurchaseId,
      units: typeof given === 'number' ? [{ name: 'Drink', count: given }] : given,
    },
    agoMs: 60_000,
    wasShownIn: true,
  })
  const list = (since?: string) =>
    app.call(doorApi.getDoorList, { eventId: fixture.event.id, ...(since !== undefined && { since }) }, fixture.token)

  test('has the vouchers on its list without their secrets, and receives what others redeem', async () => {
    const { voucher } = await buy()
    const whole = await list()
    expect(JSON.stringify(whole)).not.toContain(voucher.qrUuid)
    expect(whole.tickets[0]?.vouchers).toMatchObject([
      { id: voucher.id, units: [{ name: 'Drink', quantity: 3, redeemed: 0 }] },
    ])
    await scan({ qrCodeData: voucherUrl(BASE_URL, voucher), units: [{ name: 'Drink', count: 1 }] })
    const news = await list(whole.cursor)
    expect(news.tickets[0]?.vouchers[0]?.units).toEqual([{ name: 'Drink', quantity: 3, redeemed: 1 }])
  })

  test('sends the same redemptions ten times and they count once; taken back they are there again', async () => {
    const { voucher } = await buy()
    const scans = [give(voucher, 1), give(voucher, 1)]
    for (let time = 0; time < 10; time++) {
      const { answers } = await send(scans)
      expect(answers.map(({ code }) => code)).toEqual([null, null])
    }
    const undo: QueuedScan = {
      scanId: randomUUID(),
      act: { kind: 'undo', scanId: scans[0]?.scanId ?? '' },
      agoMs: 0,
      wasShownIn: false,
    }
    await send([undo])
    await send([undo])
    const [answer] = (await send(scans.slice(1))).answers
    expect(answer?.extrasPurchase?.content).toMatchObject([{ redeemed: 1 }])
  })

  test('that redeemed more than was left creates a conflict, with who, where and what', async () => {
    const { registration, voucher } = await buy()
    await Promise.all([send([give(voucher, 2)]), send([give(voucher, 2)], { id: 'p2', name: 'Bar 2' })])
    const conflicts = await app.call(doorApi.getConflicts, { eventId: fixture.event.id }, fixture.token)
    expect(conflicts).toMatchObject([
      { registrationId: registration.id, voucher: 'Drinks: 2 × Drink', code: 'ALREADY_REDEEMED' },
    ])
    expect((await vouchersOf(registration))[0]?.content).toMatchObject([{ redeemed: 2 }])
  })

  test('redeems nothing of another event or of a cancelled ticket', async () => {
    const { registration, voucher } = await buy()
    const other = await makeFixture(app)
    const payload = { eventId: other.event.id, device, scans: [give(voucher, 1)] }
    const foreign = await app.call(doorApi.syncScans, { payload }, other.token)
    expect(foreign.answers[0]).toMatchObject({ code: 'NOT_FOUND', extrasPurchase: null, name: null })
    const cancel = { id: registration.id, eventId: fixture.event.id, status: 'cancelled' as const }
    await app.call(attendeeApi.updateStatus, { payload: cancel }, fixture.token)
    expect((await send([give(voucher, 1)])).answers[0]).toMatchObject({ code: 'TICKET_CANCELLED' })
  })

  test('creates a conflict too when the answer came too late, or when the registration is gone', async () => {
    const { registration, voucher } = await buy()
    const late = give(voucher, 3)
    await send([give(voucher, 3)])
    await send([{ ...late, wasShownIn: false }])
    await send([late])
    await send([late])
    const conflicts = () => app.call(doorApi.getConflicts, { eventId: fixture.event.id }, fixture.token)
    expect(await conflicts()).toMatchObject([{ scanId: late.scanId, code: 'ALREADY_REDEEMED' }])
    const of = { registrationId: registration.id, eventId: fixture.event.id }
    await app.call(attendeeApi.removeRegistration, of, fixture.token)
    await send([give(voucher, 1)])
    expect((await conflicts()).map(({ registrationId, code, name }) => [registrationId, code, name]).sort()).toEqual([
      [registration.id, 'ALREADY_REDEEMED', null],
      [registration.id, 'NOT_FOUND', null],
    ])
  })

  test('sends 200 redemptions, which are one transaction, and each gets its own answer', async () => {
    const kinds = await Promise.all(Array.from({ length: 20 }, () => sell({ content: drinks })))
    const [gone, ...buyers] = await Promise.all(Array.from({ length: 10 }, () => register(kinds.map(({ id }) => id))))
    if (!gone) throw new Error('Ten were just registered.')
    const ofGone = await vouchersOf(gone)
    const [usedUp, short, unknown, ...rest] = (await Promise.all(buyers.map(vouchersOf))).flat()
    if (!usedUp || !short || !unknown) throw new Error('They were just bought.')
    await send([give(usedUp, 3), give(short, 2)])
    const cancel = { id: gone.id, eventId: fixture.event.id, status: 'cancelled' as const }
    await app.call(attendeeApi.updateStatus, { payload: cancel }, fixture.token)
    const cake = [{ name: 'Cake', count: 1 }]
    const scans: QueuedScan[] = [
      give(usedUp, 1),
      give(short, 2),
      give(unknown, cake),
      ...ofGone.map((voucher) => give(voucher, 1)),
      ...rest.map((voucher) => give(voucher, 1)),
    ]
    const { answers } = await send(scans)
    expect(answers.map(({ scanId }) => scanId)).toEqual(scans.map(({ scanId }) => scanId))
    expect(answers.map(({ code }) => code)).toEqual([
      'ALREADY_REDEEMED',
      'ALREADY_REDEEMED',
      'INVALID_INPUT',
      ...ofGone.map(() => 'TICKET_CANCELLED'),
      ...rest.map(() => null),
    ])
    expect(answers[1]?.msg).toBe('Only 1 of Drink left.')
    expect(answers[2]?.msg).toBe('This is not part of the voucher.')
    for (const { extrasPurchase } of answers.slice(-rest.length))
      expect(extrasPurchase?.content).toMatchObject([{ redeemed: 1 }])
    const { db } = app.deps
    const stored = await db
      .selectFrom('scans')
      .select(sql<string>`xmin::text`.as('xid'))
      .where(
        'scanId',
        'in',
        scans.map(({ scanId }) => scanId),
      )
      .execute()
    // What the voucher does not hold is not stored.
    expect(stored).toHaveLength(199)
    expect(new Set(stored.map(({ xid }) => xid)).size).toBe(1)
    const log = db.selectFrom('changes').select('subjectId').where('action', '=', 'voucher redeemed')
    expect(await log.execute()).toHaveLength(2 + rest.length)
    const again = await send(scans)
    expect(again.answers.map(({ code }) => code)).toEqual(answers.map(({ code }) => code))
    expect(await log.execute()).toHaveLength(2 + rest.length)
  })

  test('redeems the same voucher again and again in few transactions, in the order of the queue', async () => {
    const bought = await Promise.all(Array.from({ length: 10 }, () => buy()))
    const [first] = bought
    // Three drinks each, and one more of the first.
    const scans = bought.flatMap(({ voucher }) => [1, 2, 3].map(() => give(voucher, 1)))
    if (first) scans.push(give(first.voucher, 1))
    const { answers } = await send(scans)
    expect(answers.map(({ scanId }) => scanId)).toEqual(scans.map(({ scanId }) => scanId))
    expect(answers.map(({ code }) => code)).toEqual([...scans.slice(1).map(() => null), 'ALREADY_REDEEMED'])
    const stored = await app.deps.db.selectFrom('scans').select(sql<string>`xmin::text`.as('xid')).execute()
    expect(new Set(stored.map(({ xid }) => xid)).size).toBe(4)
  })

  test('sends the same queue to two servers at once, and it counts once', async () => {
    const vouchers = await Promise.all(Array.from({ length: 5 }, async () => (await buy()).voucher))
    const other = await app.another()
    const scans = vouchers.map((voucher) => give(voucher, 1))
    const payload = { eventId: fixture.event.id, device, scans }
    const sent = [app, other, app, other].map((to) => to.call(doorApi.syncScans, { payload }, fixture.token))
    for (const { answers } of await Promise.all(sent))
      for (const { code, extrasPurchase } of answers)
        expect([code, extrasPurchase?.content]).toMatchObject([null, [{ redeemed: 1 }]])
    const log = app.deps.db.selectFrom('changes').select('subjectId').where('action', '=', 'voucher redeemed')
    expect(await log.execute()).toHaveLength(vouchers.length)
  })

  test('redeems beside others of the same moment: each by its own rights, and a voucher never twice in one run', async () => {
    const { voucher } = await buy()
    const [{ voucher: late }, { voucher: inTime }] = [await buy(), await buy()]
    const { caller, own: event } = await callerAt(app, fixture.token, fixture.event)
    const endsAt = new Date(app.clock.now.getTime() - 30_000)
    const helper = { ...caller, pass: { abilities: [], endsAt, hasEnded: true, stillSends: true } }
    const redeem = makeRedeemQueued(app.deps)
    const asked = (by: AdminCaller, queued: QueuedScan) => {
      const { act } = queued
      if (act.kind !== 'redeem') throw new Error('It is a redemption.')
      return redeem({ caller: by, event, device, queued: { ...queued, act } })
    }
    const answers = await Promise.all([
      asked(caller, give(voucher, 2)),
      asked(caller, give(voucher, 2)),
      asked(helper, { ...give(late, 1), agoMs: 10_000 }),
      asked(helper, { ...give(inTime, 1), agoMs: 60_000 }),
    ])
    expect(answers.map(({ code }) => code)).toEqual([null, 'ALREADY_REDEEMED', PASS_ENDED, null])
  })

  test('redeems at the time when the call arrives, although the pass ends before the transaction begins', async () => {
    const { voucher } = await buy()
    const { caller, own: event } = await callerAt(app, fixture.token, fixture.event)
    const endsAt = new Date(app.clock.now.getTime() + 30_000)
    const pass = { abilities: [], endsAt, hasEnded: false, stillSends: true }
    const queued = give(voucher, 1)
    if (queued.act.kind !== 'redeem') throw new Error('It is a redemption.')
    const asked = { caller: { ...caller, pass }, event, device, queued: { ...queued, act: queued.act, agoMs: 0 } }
    const answer = makeRedeemQueued(app.deps)(asked)
    app.clock.now = new Date(app.clock.now.getTime() + 60_000)
    expect((await answer).code).toBeNull()
  })

  test('undoes one scan once, however often it is tapped', async () => {
    const { voucher } = await buy()
    const [first, second] = [give(voucher, 1), give(voucher, 1)]
    await send([first, second])
    const undo = (): QueuedScan => ({
      scanId: randomUUID(),
      act: { kind: 'undo', scanId: second.scanId },
      agoMs: 0,
      wasShownIn: false,
    })
    const { answers } = await send([undo(), undo()])
    expect(answers.map(({ code }) => code)).toEqual([null, 'ILLEGAL_TRANSITION'])
    expect(answers[0]?.extrasPurchase?.content).toMatchObject([{ redeemed: 1 }])
  })
})

test('a conflict never tells the name of another club’s attendee', async () => {
  const other = await makeFixture(app)
  const foreign = await makeRegistration(app, other.event, { name: 'Secret Guest' })
  const scans: QueuedScan[] = [
    { scanId: randomUUID(), act: { kind: 'hand', registrationId: foreign.id }, agoMs: 0, wasShownIn: true },
    {
      scanId: randomUUID(),
      act: { kind: 'redeem', registrationId: foreign.id, extrasPurchaseId: 1, units: [{ name: 'Drink', count: 1 }] },
      agoMs: 0,
      wasShownIn: true,
    },
  ]
  const device = { id: 'p', name: 'Phone' }
  await app.call(doorApi.syncScans, { payload: { eventId: fixture.event.id, device, scans } }, fixture.token)
  const conflicts = await app.call(doorApi.getConflicts, { eventId: fixture.event.id }, fixture.token)
  expect(conflicts.map(({ name }) => name)).toEqual([null, null])
})
