import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { checkinApi } from '../../src/contract/checkins.ts'
import { clubFileApi } from '../../src/contract/club-files.ts'
import { clubApi } from '../../src/contract/clubs.ts'
import { doorApi } from '../../src/contract/door.ts'
import type { Event } from '../../src/contract/event.ts'
import { eventApi } from '../../src/contract/events.ts'
import { paperApi } from '../../src/contract/paper.ts'
import { redemptionApi } from '../../src/contract/redemptions.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import { shortCode, ticketUrl, voucherUrl } from '../../src/contract/values/ticket-codes.ts'
import { judge } from '../../src/web/door/rules/judge.ts'
import { applyChanges } from '../../src/web/door/rules/ticket-list.ts'
import { findVouchers } from '../../src/web/door/rules/vouchers.ts'
import { contentOf, exportClub, fileOf, finishImport, importClub, linesOf, sendClub } from '../support/club-files.ts'
import { actionsOf, readWholeHistory } from '../support/history.ts'
import { makeClub, makeEvent, makeSudo } from '../support/make.ts'
import { makeFullClub, makeRoom, move, setUpMoving, target } from '../support/moving.ts'
import { companion } from '../support/orders.ts'
import { refusalOf } from '../support/outcomes.ts'
import { begin as beginOrder, family } from '../support/paid-orders.ts'
import { begin, app as source } from '../support/paying.ts'
import { BASE_URL } from '../support/start-app.ts'

setUpMoving()

/** What is different after an import: who has not paid cannot pay there, and money from elsewhere goes back by hand. */
const onceMoved = (row: string) =>
  row
    .replace('"taken_as":null,"taken_by":null,"taken_on":null', '"taken_as":"online","taken_by":"","taken_on":""')
    .replace(/"status":"pending"(.*)"cancel_reason":null/, '"status":"cancelled"$1"cancel_reason":"hold ended"')

const vouchersOf = async ({ id, qrUuid }: { id: number; qrUuid: string }) =>
  (await source.call(ticketApi.getRegistration, { registrationId: id, qrUuid })).extras

test('an imported club is what it was, and is exported again as it was', async () => {
  const { club, token } = await makeFullClub()
  const { club: room, file, imported, events, token: newToken } = await move(club.id, token)

  expect(imported).toMatchObject({ state: 'done', reason: null, counts: { events: 1, registrations: 4, images: 1 } })
  const [event] = events
  expect(event).toMatchObject({ name: 'Summer party', registrationCount: 3, ticketPriceTo: 2500 })
  const banner = await fetch(`${target.url}/api/event-banner/${event?.banner}`)
  expect(banner.status).toBe(200)

  const after = contentOf(await exportClub(target, room.id, newToken))
  for (const [table, rows] of Object.entries(contentOf(file))) {
    // The target's own owner and their changes come on top, and pictures are encoded anew.
    if (table === 'people' || table === 'changes') expect(after[table]).toEqual(expect.arrayContaining(rows))
    else expect(after[table], table).toEqual(rows.map(onceMoved).sort())
  }
  const history = await readWholeHistory(target, newToken, room.id)
  expect(actionsOf(history)).toContain('Club imported from a file')
  expect(history.map(({ by }) => by)).toEqual(expect.arrayContaining([expect.stringMatching(/^Ana Admin/)]))
})

describe('printed codes', () => {
  const scanText = (event: Event | undefined, qrCodeData: string, token: string) =>
    target.call(
      checkinApi.scanByRegistrationId,
      { payload: { eventId: event?.id ?? 0, qrCodeData, scanId: randomUUID() } },
      token,
    )

  test('let somebody in once, whatever number they have now', async () => {
    const { event, club, token, order } = await makeFullClub()
    const [, child] = order.registrations
    const { events, token: newToken } = await move(club.id, token)
    const printed = child ?? order.savedRegistration

    const { registration } = await scanText(events[0], ticketUrl(BASE_URL, printed), newToken)
    expect(registration).toMatchObject({
      registrationData: { name: printed.registrationData.name },
      eventId: events[0]?.id,
    })
    expect(registration.id).not.toBe(printed.id)
    expect(
      await refusalOf(scanText(events[0], ticketUrl(BASE_URL, printed), newToken), 'ALREADY_CHECKED_IN'),
    ).toBeDefined()
    // The short code of another ticket, from before.
    await refusalOf(scanText(events[0], shortCode(order.savedRegistration), newToken), 'ALREADY_CHECKED_IN')
    await refusalOf(scanText(events[0], shortCode({ ...printed, qrUuid: randomUUID() }), newToken), 'NOT_FOUND')
    expect(event.clubId).toBe(club.id)
  })

  test('redeem a voucher, and stand for a row of a paper list', async () => {
    const { club, token, paid } = await makeFullClub()
    const [voucher] = await vouchersOf(paid.registration)
    const { events, token: newToken } = await move(club.id, token)
    const eventId = events[0]?.id ?? 0
    const qrCodeData = voucherUrl(BASE_URL, { id: voucher?.id ?? 0, qrUuid: voucher?.qrUuid ?? '' })
    const redeemed = await target.call(
      redemptionApi.scanByExtrasPurchaseId,
      { payload: { eventId, qrCodeData, scanId: randomUUID() } },
      newToken,
    )
    expect(redeemed.extrasPurchase).toMatchObject({ name: 'Drink' })

    const rows = await target.call(
      paperApi.readPaper,
      { payload: { eventId, codes: [shortCode(paid.registration)] } },
      newToken,
    )
    expect(rows).toMatchObject([{ state: 'ready', name: paid.registration.registrationData.name }])
    // A bare number may be that of somebody else here.
    const bare = await target.call(
      paperApi.readPaper,
      { payload: { eventId, codes: [String(paid.registration.id)] } },
      newToken,
    )
    expect(bare).toMatchObject([{ state: 'unreadable' }])
  })
})

test('a phone without network knows the codes from before', async () => {
  const { club, token, order, paid } = await makeFullClub()
  const [, child] = order.registrations
  const [voucher] = await vouchersOf(paid.registration)
  const { events, token: newToken } = await move(club.id, token)
  const read = await target.call(doorApi.getDoorList, { eventId: events[0]?.id ?? 0 }, newToken)
  const list = applyChanges(null, read)?.list ?? null
  const judged = (text: string) => judge(text, list, new Map())?.verdict.code

  expect(child && judged(ticketUrl(BASE_URL, child))).toBeNull()
  expect(child && judged(shortCode(child))).toBeNull()
  expect(judged(shortCode(order.savedRegistration))).toBe('ALREADY_CHECKED_IN')
  expect(child && judged(ticketUrl(BASE_URL, { ...child, qrUuid: randomUUID() }))).toBe('NOT_FOUND')
  const found = list && voucher && findVouchers(voucherUrl(BASE_URL, voucher), list)
  expect(found).toMatchObject({
    ticket: { name: paid.registration.registrationData.name },
    vouchers: [{ name: 'Drink' }],
  })
})

describe('a file is refused, and nothing is imported,', () => {
  async function expectRefused(file: Buffer, reason: string) {
    const room = await makeRoom()
    expect(await importClub(target, room.club.id, room.token, file)).toMatchObject({
      state: 'failed',
      reason,
      received: 0,
    })
    expect(await target.call(eventApi.getAllEvents, { clubId: room.club.id }, room.token)).toEqual([])
    expect(await target.call(clubApi.getClub, { clubId: room.club.id })).toMatchObject({ name: room.club.name })
    // Another one can be sent.
    return room
  }

  test('when it is none, cut off, changed, or from a newer version', async () => {
    const { club, token, event } = await family()
    await beginOrder(event, [companion()])
    const file = await exportClub(source, club.id, token)
    await expectRefused(Buffer.from('no file of ours'), 'not ours')
    await expectRefused(gzipSync('{"kind":"something else"}\n'), 'not ours')
    await expectRefused(file.subarray(0, file.length - 20), 'damaged')
    const lines = linesOf(file)
    const without = (kind: string) => fileOf(lines.filter(([each]) => each !== kind))
    await expectRefused(without('events'), 'damaged')
    await expectRefused(without('ticket_types'), 'damaged')
    await expectRefused(fileOf([...lines].reverse()), 'not ours')
    await expectRefused(fileOf(lines.map(([kind, row]) => [kind, { ...row, format: 2 }])), 'newer')
    await expectRefused(
      fileOf(lines.map(([kind, row]) => [kind, kind === 'events' ? { ...row, time_zone: 'Mars/Olympus' } : row])),
      'damaged',
    )
    const room = await expectRefused(
      fileOf(
        lines.map(([kind, row]) => [
          kind,
          kind === 'registrations' ? { ...row, qr_uuid: randomUUID(), amount: -1 } : row,
        ]),
      ),
      'damaged',
    )
    expect(await importClub(target, room.club.id, room.token, file)).toMatchObject({ state: 'done' })
  })

  test('when this server has its tickets, or the club got an event meanwhile', async () => {
    const { club, token, event } = await family()
    await begin(event)
    const { file } = await move(club.id, token)
    await expectRefused(file, 'here already')

    const room = await makeRoom()
    await sendClub(target, room.club.id, room.token, file)
    await makeEvent(target, room.token)
    const after = await finishImport(target, room.club.id, room.token)
    expect(after).toMatchObject({ state: 'failed', reason: 'not empty' })
  })
})

test('no row of another club can be reached by a file', async () => {
  const { club, token, event } = await family()
  await begin(event)
  const lines = linesOf(await exportClub(source, club.id, token))
  const room = await makeRoom()
  const sudo = await makeSudo(target)
  const victim = await makeClub(target, sudo.token)
  const theirs = await makeEvent(target, victim.token)
  const other = theirs.id
  // Numbers of rows that this server has, but not the file.
  const crossing = fileOf(
    lines.map(([kind, row]) => [kind, kind === 'registrations' ? { ...row, event_id: other } : row]),
  )
  expect(await importClub(target, room.club.id, room.token, crossing)).toMatchObject({
    state: 'failed',
    reason: 'damaged',
  })
  const added = fileOf(
    lines.map(([kind, row]) => [kind, kind === 'events' ? { ...row, club_id: victim.club.id } : row]),
  )
  expect(await importClub(target, room.club.id, room.token, added)).toMatchObject({ state: 'failed', reason: 'newer' })
  expect(await target.call(eventApi.getEvent, { eventId: other })).toMatchObject({ registrationCount: 0 })
})

test('parts may arrive in any order and more than once; a club with events imports nothing', async () => {
  const { club, token } = await family()
  const file = await exportClub(source, club.id, token)
  const room = await makeRoom()
  const clubId = room.club.id
  const key = randomUUID()
  const start = (of: string, parts: number) =>
    target.call(clubFileApi.startImport, { payload: { clubId, key: of, parts } }, room.token)
  const send = (of: string, part: number, content: Buffer) =>
    target.call(
      clubFileApi.sendImportPart,
      { payload: { clubId, key: of, part, content: content.toString('base64') } },
      room.token,
    )
  const [first, second] = [file.subarray(0, 300), file.subarray(300)]
  await refusalOf(send(key, 0, first), 'IMPORT_NOT_STARTED')
  await start(key, 2)
  expect(await send(key, 1, second)).toMatchObject({ state: 'sending', received: 1 })
  expect(await send(key, 1, second)).toMatchObject({ received: 1 })
  expect(await start(key, 2)).toMatchObject({ received: 1 })
  await refusalOf(send(key, 2, second), 'IMPORT_NOT_STARTED')
  const both = await Promise.all([send(key, 0, first), send(key, 0, first)])
  expect(both.map(({ state }) => state)).toEqual(['waiting', 'waiting'])
  await refusalOf(start(randomUUID(), 1), 'CLUB_NOT_EMPTY')
  await finishImport(target, clubId, room.token)
  expect(await send(key, 0, first)).toMatchObject({ state: 'done' })
  await refusalOf(start(randomUUID(), 1), 'CLUB_NOT_EMPTY')
})
