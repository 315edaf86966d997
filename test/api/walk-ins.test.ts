import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { boardApi } from '../../src/contract/board.ts'
import { doorApi, type QueuedScan } from '../../src/contract/door.ts'
import { eventApi } from '../../src/contract/events.ts'
import { extrasApi } from '../../src/contract/extras.ts'
import { historyApi } from '../../src/contract/history.ts'
import { passApi } from '../../src/contract/passes.ts'
import { walkInApi } from '../../src/contract/walk-ins.ts'
import { makeExtras, makeFixture, makeForm, makePass, makeRegistration } from '../support/make.ts'
import { atOnce, refusalOf } from '../support/outcomes.ts'
import { startApp, type TestApp } from '../support/start-app.ts'
import { verify } from '../support/verify.ts'

let app: TestApp
let fixture: Awaited<ReturnType<typeof makeFixture>>
let helper: Awaited<ReturnType<typeof makePass>>
beforeEach(async () => {
  app = await startApp()
  fixture = await makeFixture(app, { maxAttendees: 6, phoneField: 'off', maxPerEmail: 10 })
  helper = await makePass(app, fixture.event, fixture.token, ['tickets', 'walk-ins'])
  for (const { id, name } of [gateA, gateB]) await report(id, name)
})
afterEach(async () => {
  await verify(app.deps.db)
  await app.stop()
})

const [gateA, gateB] = [
  { id: 'aaaa', name: 'Gate A' },
  { id: 'bbbb', name: 'Gate B' },
]

function report(id: string, name: string) {
  const state = { listAgeS: 2, worksOffline: true, camera: 'seen', sound: 'on', isShown: true } as const
  const counts = { queued: 0, stuck: 0, scans: 0, recentScans: 0, recentByScanner: 0, battery: null, isCharging: false }
  const practice = { isPractising: false, practised: [], practisedAgoS: null }
  const payload = { eventId: fixture.event.id, device: { id, name }, ...state, ...counts, ...practice }
  return app.call(boardApi.reportPhone, { payload }, helper.session)
}

const give = (phoneId: string, places: number, isLost?: boolean) =>
  app.call(
    walkInApi.giveWalkInPlaces,
    { payload: { eventId: fixture.event.id, phoneId, places, ...(isLost && { isLost }) } },
    fixture.token,
  )
const confirm = (device: typeof gateA, granted: number) =>
  app.call(walkInApi.confirmWalkInPlaces, { payload: { eventId: fixture.event.id, device, granted } }, helper.session)

function walkIn(name: string, fields: Partial<QueuedScan> = {}, key: string = randomUUID(), email = ''): QueuedScan {
  const registrationData = { name, email, phone: '', others: [] }
  const act = { kind: 'walk-in' as const, registrationData, extrasIds: [], idempotencyKey: key }
  return { scanId: randomUUID(), act, agoMs: 0, wasShownIn: true, ...fields }
}
async function sync(scans: QueuedScan[], device = gateA, token = helper.session) {
  const payload = { eventId: fixture.event.id, device, scans }
  return (await app.call(doorApi.syncScans, { payload }, token)).answers
}
const codes = async (scans: QueuedScan[], device = gateA) => (await sync(scans, device)).map(({ code }) => code)
const conflicts = () => app.call(doorApi.getConflicts, { eventId: fixture.event.id }, fixture.token)
const event = () => app.call(eventApi.getEvent, { eventId: fixture.event.id }, fixture.token)
const quotaOf = async ({ id }: typeof gateA) =>
  (await app.call(doorApi.getDoorList, { eventId: fixture.event.id, phone: id }, helper.session)).walkIns
const undo = (scanId: string): QueuedScan => ({
  ...{ scanId: randomUUID(), act: { kind: 'undo', scanId }, agoMs: 0, wasShownIn: false },
})

test('places that a phone keeps are nobody else’s: visitors see them as taken, and only that phone gives them to people', async () => {
  await give(gateA.id, 4)
  expect(await event()).toMatchObject({ registrationCount: 0, walkInPlaces: 4 })
  await makeRegistration(app, fixture.event)
  await makeRegistration(app, fixture.event)
  await refusalOf(makeRegistration(app, fixture.event), 'SOLD_OUT')
  expect(await codes([walkIn('Bo')], gateB)).toEqual(['SOLD_OUT'])
  const [answer] = await sync([walkIn('Ada')])
  expect(answer).toMatchObject({
    code: null,
    name: 'Ada',
    checkin: { status: true, checkedInBy: 'Hal Helper', device: 'Gate A' },
  })
  expect(await event()).toMatchObject({ registrationCount: 3, walkInPlaces: 3 })
  expect(await quotaOf(gateA)).toEqual({ isLimited: true, granted: 4, used: 1, wanted: 4 })
})

test('two phones without network and the last seats: never more than there are, and whoever is too many is a conflict', async () => {
  await give(gateA.id, 3)
  await give(gateB.id, 3)
  await refusalOf(give(gateB.id, 4), 'SOLD_OUT')
  const people = (gate: string, count: number) => Array.from({ length: count }, (_, at) => walkIn(`${gate} ${at}`))
  const answers = await Promise.all([codes(people('A', 4), gateA), codes(people('B', 3), gateB)])
  expect(answers.map((all) => all.filter((code) => code === null).length)).toEqual([3, 3])
  expect(answers[0]?.at(-1)).toBe('SOLD_OUT')
  expect(await event()).toMatchObject({ registrationCount: 6, walkInPlaces: 0 })
  expect(await conflicts()).toMatchObject([
    { registrationId: null, name: 'A 3', code: 'SOLD_OUT', walkIn: { email: '' } },
  ])
})

test('a walk-in that is sent three times at once adds one person', async () => {
  await give(gateA.id, 2)
  const scan = walkIn('Ada')
  const answers = await Promise.all(atOnce([scan, scan, scan], 3, (same) => sync([same])))
  expect(new Set(answers.flat().map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(await event()).toMatchObject({ registrationCount: 1, walkInPlaces: 1 })
})

test('somebody whose adding the server had not answered is the same person, and the phone’s place is free', async () => {
  await give(gateA.id, 2)
  const key = randomUUID()
  const { act } = walkIn('Ada', {}, key)
  if (act.kind !== 'walk-in') throw new Error('another kind')
  const wish = { eventId: fixture.event.id, registrationData: act.registrationData, extrasIds: [], idempotencyKey: key }
  const saved = await app.call(attendeeApi.save, { payload: wish }, helper.session)
  const [answer] = await sync([walkIn('Ada', {}, key)])
  expect(answer).toMatchObject({ code: null, registrationId: saved.id, checkin: { status: true } })
  expect(await event()).toMatchObject({ registrationCount: 1, walkInPlaces: 1 })
  expect(await app.call(attendeeApi.save, { payload: wish }, helper.session)).toMatchObject({ id: saved.id })
  expect(await event()).toMatchObject({ registrationCount: 1 })
})

test('whoever was corrected since the adding arrived is the same person; another person with the key is added too', async () => {
  await give(gateA.id, 3)
  const key = randomUUID()
  const registrationData = { name: 'Ada', email: '', phone: '+4915112345678', others: [] }
  const wish = { eventId: fixture.event.id, registrationData, extrasIds: [], idempotencyKey: key }
  const saved = await app.call(attendeeApi.save, { payload: wish }, helper.session)
  const [same, other] = await sync([walkIn('ada', {}, key), walkIn('Bo', {}, key)])
  expect(same).toMatchObject({ code: null, registrationId: saved.id, name: 'Ada' })
  expect(other).toMatchObject({ code: null, name: 'Bo' })
  expect(await event()).toMatchObject({ registrationCount: 2, walkInPlaces: 1 })
})

test('a late confirmation takes back nothing that the board has given since', async () => {
  await give(gateA.id, 5)
  await give(gateA.id, 1)
  await give(gateA.id, 4)
  expect(await confirm(gateA, 2)).toMatchObject({ granted: 4, wanted: 4 })
  expect(await event()).toMatchObject({ walkInPlaces: 4 })
  // A refused walk-in does not bring back what the board has taken.
  const { name, email } = (await makeRegistration(app, fixture.event)).registrationData
  await codes([walkIn(name, {}, randomUUID(), email)])
  await give(gateA.id, 0)
  expect(await codes([walkIn(name, {}, randomUUID(), email)])).toEqual(['ALREADY_CHECKED_IN'])
  expect(await quotaOf(gateA)).toMatchObject({ used: 1, wanted: 1 })
})

test('somebody who is in with a ticket or voucher that is not sold any more is registered with what there is', async () => {
  await give(gateA.id, 2)
  const drinks = await makeExtras(app, fixture.token, fixture.event.id)
  await app.call(extrasApi.removeExtras, { eventId: fixture.event.id, extrasId: drinks.id }, fixture.token)
  const scan = walkIn('Ada')
  if (scan.act.kind !== 'walk-in') throw new Error('another kind')
  scan.act.extrasIds = [drinks.id]
  expect(await codes([scan])).toEqual([null])
  const refused = {
    ...scan,
    scanId: randomUUID(),
    wasShownIn: false,
    act: { ...scan.act, idempotencyKey: randomUUID() },
  }
  expect(await codes([refused])).toEqual(['INVALID_INPUT'])
})

test('what a pass that has ended still sends gets no place that its phone did not keep', async () => {
  await give(gateA.id, 1)
  await app.call(passApi.revokePass, { payload: { eventId: fixture.event.id, id: helper.pass.id } }, fixture.token)
  const before = { agoMs: 60_000 }
  expect(await codes([walkIn('Ada', before), walkIn('Bo', before)])).toEqual([null, 'PASS_ENDED'])
  expect(await codes([walkIn('Cy', before)], gateB)).toEqual(['PASS_ENDED'])
  expect(await event()).toMatchObject({ registrationCount: 1, walkInPlaces: 0 })
})

test('whoever has a ticket already comes in with it; whoever is in already is a conflict', async () => {
  await give(gateA.id, 2)
  const { name, email } = (await makeRegistration(app, fixture.event)).registrationData
  expect(await codes([walkIn(name, {}, randomUUID(), email)])).toEqual([null])
  expect(await event()).toMatchObject({ registrationCount: 1, walkInPlaces: 1 })
  expect(await codes([walkIn(name, {}, randomUUID(), email.toUpperCase())])).toEqual(['ALREADY_CHECKED_IN'])
  expect(await event()).toMatchObject({ registrationCount: 1, walkInPlaces: 1 })
  expect(await conflicts()).toMatchObject([{ name, code: 'ALREADY_CHECKED_IN', walkIn: null }])
})

test('fewer places count once the phone confirms it, those of a lost phone at once; whom it lets in later gets a free place', async () => {
  await give(gateA.id, 4)
  expect(await give(gateA.id, 1)).toMatchObject({ granted: 4, wanted: 1 })
  expect(await event()).toMatchObject({ walkInPlaces: 4 })
  // It has let two people in by then.
  expect(await confirm(gateA, 2)).toMatchObject({ granted: 2, wanted: 1 })
  expect(await event()).toMatchObject({ walkInPlaces: 2 })
  // A phone gives itself no places.
  expect(await confirm(gateA, 5)).toMatchObject({ granted: 2 })
  expect(await confirm(gateB, 5)).toMatchObject({ granted: 0 })
  await give(gateA.id, 0, true)
  expect(await event()).toMatchObject({ walkInPlaces: 0 })
  expect(await codes([walkIn('Ada'), walkIn('Bo')])).toEqual([null, null])
  expect(await quotaOf(gateA)).toEqual({ isLimited: true, granted: 0, used: 0, wanted: 0 })
})

test('a change of places that somebody else has changed since is refused', async () => {
  const payload = { eventId: fixture.event.id, phoneId: gateA.id, places: 2, wanted: 0 }
  const send = (places: number) =>
    app.call(walkInApi.giveWalkInPlaces, { payload: { ...payload, places } }, fixture.token)
  expect(await send(2)).toMatchObject({ wanted: 2 })
  // Sent again, because its answer was lost.
  expect(await send(2)).toMatchObject({ wanted: 2 })
  await refusalOf(send(1), 'EDIT_CONFLICT')
  expect(await event()).toMatchObject({ walkInPlaces: 2 })
  // Also when the phone has given one of them meanwhile.
  expect(await codes([walkIn('Ada')])).toEqual([null])
  await refusalOf(send(2), 'EDIT_CONFLICT')
  const seen = { ...payload, used: 0 }
  expect(await app.call(walkInApi.giveWalkInPlaces, { payload: seen }, fixture.token)).toMatchObject({ wanted: 2 })
  expect(await event()).toMatchObject({ walkInPlaces: 1 })
})

test('a walk-in that is undone frees the place and voids the ticket', async () => {
  await give(gateA.id, 1)
  const scan = walkIn('Ada', {}, randomUUID(), 'ada@example.org')
  expect(await codes([scan, undo(scan.scanId)])).toEqual([null, null])
  expect(await event()).toMatchObject({ registrationCount: 0, walkInPlaces: 0 })
  const rows = await app.deps.db.selectFrom('registrations').select(['name', 'status']).execute()
  expect(rows).toEqual([{ name: 'Ada', status: 'cancelled' }])
  expect(await app.deps.db.selectFrom('checkins').select('status').execute()).toEqual([{ status: false }])
  expect(await codes([scan])).toEqual([null])
  expect(await event()).toMatchObject({ registrationCount: 0 })
})

test('an answer that fits the form no longer is left out; other input that cannot be read is refused, and decided when it is right', async () => {
  await give(gateA.id, 2)
  const [meal] = await makeForm(app, fixture.token, fixture.event.id, [
    { typeId: 2, text: 'Meal', required: true, options: ['Fish', 'Rice'] },
  ])
  const scan = walkIn('Ada')
  if (scan.act.kind !== 'walk-in') throw new Error('another kind')
  scan.act.registrationData.others = [{ qId: meal?.id ?? 0, answer: 'Beef' }]
  expect(await codes([scan])).toEqual([null])
  expect(await app.deps.db.selectFrom('registrations').select('others').execute()).toEqual([{ others: [] }])
  const shy = { ...scan, scanId: randomUUID(), wasShownIn: false, act: { ...scan.act, idempotencyKey: randomUUID() } }
  expect(await codes([shy])).toEqual(['INVALID_INPUT'])
  expect(await event()).toMatchObject({ registrationCount: 1, walkInPlaces: 1 })
})

test('whom a revoked pass let in before counts, whom it let in after does not', async () => {
  await give(gateA.id, 3)
  const before = walkIn('Before', { agoMs: 60_000 })
  await app.call(passApi.revokePass, { payload: { eventId: fixture.event.id, id: helper.pass.id } }, fixture.token)
  const [answer] = await sync([before])
  expect(answer).toMatchObject({ code: null, name: null })
  expect(await codes([walkIn('After')])).toEqual(['PASS_ENDED'])
  expect(await conflicts()).toMatchObject([{ name: 'After', code: 'PASS_ENDED', registrationId: null }])
  expect(await event()).toMatchObject({ registrationCount: 1, walkInPlaces: 2 })
})

test('a helper who may not add people cannot do it at the door either, and is not told about places', async () => {
  const other = await makePass(app, fixture.event, fixture.token, ['tickets'])
  const [answer] = await sync([walkIn('Ada')], gateA, other.session)
  expect(answer?.code).toBe('NOT_ALLOWED')
  const list = await app.call(doorApi.getDoorList, { eventId: fixture.event.id, phone: gateA.id }, other.session)
  expect(list.walkIns).toBeUndefined()
})

test('without a limit no places are needed; a limit below what is kept is refused, and one below what is taken', async () => {
  await give(gateA.id, 4)
  const save = (maxAttendees: number | null) =>
    app.call(eventApi.save, { id: fixture.event.id, maxAttendees }, fixture.token)
  await refusalOf(save(3), 'CAPACITY_BELOW_TAKEN')
  await save(null)
  expect(await quotaOf(gateB)).toMatchObject({ isLimited: false })
  expect(await codes([walkIn('Bo')], gateB)).toEqual([null])
})

test('the board lists the phones that keep places, also one that reports no more; a phone that nobody knows is not found', async () => {
  await give(gateA.id, 2)
  await app.deps.db.deleteFrom('doorPhones').execute()
  const { walkIns } = await app.call(boardApi.getBoard, { eventId: fixture.event.id }, fixture.token)
  expect(walkIns).toEqual({
    free: 4,
    quotas: [{ phoneId: 'aaaa', phoneName: 'Gate A', granted: 2, used: 0, wanted: 2 }],
  })
  expect(await give(gateA.id, 3)).toMatchObject({ granted: 3 })
  await refusalOf(give('nobody', 1), 'NOT_FOUND')
  const { entries } = await app.call(historyApi.getHistory, { clubId: fixture.club.id }, fixture.token)
  expect(entries.find(({ action }) => action.includes('Gate A'))).toMatchObject({
    changes: [{ field: 'Places kept', before: '2', after: '3' }],
  })
})

describe('somebody whom a phone let in and who got no place', () => {
  const about = (scan: QueuedScan, name = 'Fay Ost') => {
    if (scan.act.kind !== 'walk-in') throw new Error('another kind')
    const { registrationData, extrasIds } = scan.act
    return {
      payload: {
        eventId: fixture.event.id,
        scanId: scan.scanId,
        registrationData: { ...registrationData, name },
        extrasIds,
      },
    }
  }
  const add = (scan: QueuedScan, name?: string) => app.call(doorApi.addFromConflict, about(scan, name), fixture.token)
  async function makeConflict(scan: QueuedScan): Promise<void> {
    await give(gateB.id, 6)
    expect(await codes([scan])).toEqual(['SOLD_OUT'])
  }

  test('is added with what the phone noted, and is in as it says', async () => {
    const [meal] = await makeForm(app, fixture.token, fixture.event.id, [
      { typeId: 2, text: 'Meal', required: true, options: ['Fish', 'Rice'] },
    ])
    const drinks = await makeExtras(app, fixture.token, fixture.event.id)
    const scan = walkIn('Fay Ost', { agoMs: 60_000 }, randomUUID(), 'fay@example.org')
    if (scan.act.kind !== 'walk-in') throw new Error('another kind')
    const others = [{ qId: meal?.id ?? 0, answer: 'Rice' }]
    scan.act.registrationData.others = others
    scan.act.extrasIds = [drinks.id, drinks.id]
    await makeConflict(scan)
    const noted = { email: 'fay@example.org', phone: '', others, ticketTypeId: null, extrasIds: [drinks.id, drinks.id] }
    expect(await conflicts()).toMatchObject([{ name: 'Fay Ost', registrationId: null, walkIn: noted, seenAt: null }])

    await refusalOf(add(scan), 'SOLD_OUT')
    expect(await conflicts()).toMatchObject([{ seenAt: null }])
    await give(gateB.id, 5)
    await confirm(gateB, 5)
    const ids = (await Promise.all(atOnce([scan, scan, scan], 3, (same) => add(same)))).map(({ id }) => id)
    expect(new Set(ids).size).toBe(1)
    const asked = { eventId: fixture.event.id, searchKeyword: '', sortBy: 'name', limit: 10 } as const
    const [attendee] = (await app.call(attendeeApi.getAttendees, asked, fixture.token)).attendees
    expect(attendee).toMatchObject({
      registration: { id: ids[0], registrationData: { name: 'Fay Ost', others: [{ answer: 'Rice' }] } },
      checkin: { status: true, checkedInBy: 'Hal Helper' },
    })
    const [entry] = await app.deps.db.selectFrom('checkins').select(['device', 'registrationId']).execute()
    expect(entry).toEqual({ device: 'Gate A', registrationId: ids[0] })
    expect(attendee?.extras).toHaveLength(2)
    expect(attendee?.checkin?.checkinTime).toEqual(new Date(app.clock.now.getTime() - 60_000))
    expect(await conflicts()).toMatchObject([
      { registrationId: ids[0], name: 'Fay Ost', seenBy: fixture.admin.fullName, walkIn: { email: '' } },
    ])
  })

  test('is taken back by the phone that let them in, also once they are added', async () => {
    const scan = walkIn('Fay Ost')
    await makeConflict(scan)
    await give(gateB.id, 5)
    await confirm(gateB, 5)
    const { id } = await add(scan)
    expect(await event()).toMatchObject({ registrationCount: 1 })
    expect(await codes([undo(scan.scanId)])).toEqual([null])
    expect(await event()).toMatchObject({ registrationCount: 0 })
    const rows = await app.deps.db.selectFrom('registrations').select(['id', 'status']).execute()
    expect(rows).toEqual([{ id, status: 'cancelled' }])
    expect(await app.deps.db.selectFrom('checkins').select('status').execute()).toEqual([{ status: false }])
  })

  test('is shown as taken back when the phone took them back before anybody looked, and can still be added', async () => {
    const scan = walkIn('Fay Ost')
    await makeConflict(scan)
    expect(await conflicts()).toMatchObject([{ isTakenBack: false, seenAt: null }])
    const seen = { payload: { eventId: fixture.event.id, scanIds: [scan.scanId] } }
    await app.call(doorApi.seeConflicts, seen, fixture.token)
    expect(await codes([undo(scan.scanId)])).toEqual([null])
    // Whoever had looked into it before.
    expect(await conflicts()).toMatchObject([{ isTakenBack: true, seenBy: 'Hal Helper', registrationId: null }])
    await give(gateB.id, 5)
    await confirm(gateB, 5)
    const { id } = await add(scan)
    expect(await conflicts()).toMatchObject([{ isTakenBack: false, registrationId: id }])
    expect(await codes([undo(scan.scanId)])).toEqual([null])
    expect(await conflicts()).toMatchObject([{ isTakenBack: true, seenBy: 'Hal Helper' }])
  })

  test('is not added when they are registered by then, and can be corrected first', async () => {
    const scan = walkIn('Fay Ost', {}, randomUUID(), 'fay@example.org')
    await makeConflict(scan)
    await give(gateB.id, 3)
    await confirm(gateB, 3)
    await makeRegistration(app, fixture.event, { name: 'Fay Ost', email: 'fay@example.org' })
    await refusalOf(add(scan), 'ALREADY_REGISTERED')
    expect(await add(scan, 'Fay Oster')).toMatchObject({ registrationData: { name: 'Fay Oster' } })
    expect(await event()).toMatchObject({ registrationCount: 2 })
  })

  test('is found in their own event alone, and only if they have no ticket', async () => {
    const scan = walkIn('Fay Ost')
    await makeConflict(scan)
    const other = await makeFixture(app, { maxAttendees: 6, phoneField: 'off' })
    const { payload } = about(scan)
    const there = { payload: { ...payload, eventId: other.event.id } }
    await refusalOf(app.call(doorApi.addFromConflict, there, other.token), 'NOT_FOUND')
    await refusalOf(app.call(doorApi.addFromConflict, about(scan), other.token), 'NOT_FOUND')
    await refusalOf(add(walkIn('Nobody')), 'NOT_FOUND')
    await refusalOf(app.call(doorApi.addFromConflict, about(scan), helper.session), 'NOT_ALLOWED')
  })
})
