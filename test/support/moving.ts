import sharp from 'sharp'
import { afterEach, beforeEach, expect } from 'vitest'
import { checkinApi } from '../../src/contract/checkins.ts'
import { codeApi } from '../../src/contract/codes.ts'
import { eventApi } from '../../src/contract/events.ts'
import { paymentApi } from '../../src/contract/payments.ts'
import { exportClub, importClub } from './club-files.ts'
import {
  makeClub,
  makeEvent,
  makeExtras,
  makeForm,
  makeMember,
  makeRegistration,
  makeSudo,
  registrationFor,
  scanOf,
} from './make.ts'
import { companion } from './orders.ts'
import { begin as beginOrder, family } from './paid-orders.ts'
import { bank, begin, setUpPayingApp, app as source } from './paying.ts'
import { startApp, type TestApp } from './start-app.ts'
import { verify } from './verify.ts'

export let target: TestApp

/** Starts the server that a club moves to, beside the paying app that it comes from. */
export function setUpMoving(): void {
  setUpPayingApp()
  beforeEach(async () => {
    target = await startApp({ settings: { baseUrl: 'https://new.test' } })
  })
  afterEach(async () => {
    await verify(target.deps.db)
    await target.stop()
  })
}

/** A new club at the target, where other clubs have numbers already. */
export async function makeRoom() {
  const sudo = await makeSudo(target)
  const other = await makeClub(target, sudo.token)
  const event = await makeEvent(target, other.token)
  await makeRegistration(target, event)
  return makeClub(target, sudo.token)
}

/** Moves a club to the target, into a new club there. */
export async function move(clubId: number, token: string) {
  const file = await exportClub(source, clubId, token)
  const room = await makeRoom()
  const imported = await importClub(target, room.club.id, room.token, file)
  const events = await target.call(eventApi.getAllEvents, { clubId: room.club.id }, room.token)
  return { ...room, file, imported, events }
}

/** A club with what clubs have: prices, an order, a code, vouchers, answers, check-ins, money that went back, a banner. */
export async function makeFullClub() {
  const fixture = await family()
  const { event, token, idOf, eventId } = fixture
  const ticketTypeIds = [idOf('Adult')]
  const boat = { typeId: 0, text: 'Which boat?', required: false, options: [], ticketTypeIds }
  const [question] = await makeForm(source, token, eventId, [boat])
  const others = [{ qId: question?.id ?? 0, answer: 'Optimist' }]
  const drink = await makeExtras(source, token, eventId, { name: 'Drink', content: [{ name: 'Glass', quantity: 2 }] })
  const code = {
    code: 'EARLY',
    kind: 'percent' as const,
    value: 20,
    maxUses: 5,
    opensAt: null,
    closesAt: null,
    note: '',
  }
  await source.call(codeApi.saveCode, { payload: { eventId, ...code, ticketTypeIds } }, token)
  const unpaid = await begin(event)
  const paid = await begin(event, [drink.id])
  await bank.pay(paid.session)
  const together = { ...registrationFor(event, { others }), code: 'EARLY' }
  const order = await beginOrder(event, [companion({ ticketTypeId: idOf('Child') })], together, idOf('Adult'))
  await bank.pay(order.session)
  await source.finishMails()
  const refund = { registrationId: paid.registration.id, eventId, amount: 700 }
  await source.call(paymentApi.refund, { payload: refund }, token)
  await source.call(checkinApi.scanByRegistrationId, scanOf(order.savedRegistration), token)
  await makeMember(source, { clubId: fixture.club.id, token }, 'door', [eventId])
  const body = new FormData()
  body.append('id', String(eventId))
  const picture = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#246' } })
    .jpeg()
    .toBuffer()
  body.append('banner', new Blob([new Uint8Array(picture)], { type: 'image/jpeg' }), 'banner.jpg')
  const saved = await fetch(`${source.url}/api/event/save`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body,
  })
  expect(saved.status).toBe(200)
  return { ...fixture, unpaid, paid, order }
}
