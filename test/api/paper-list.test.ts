import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { checkinApi } from '../../src/contract/checkins.ts'
import { doorApi } from '../../src/contract/door.ts'
import { redemptionApi } from '../../src/contract/redemptions.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { ticketTypeApi } from '../../src/contract/ticket-types.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import { shortCode, voucherUrl } from '../../src/contract/values/ticket-codes.ts'
import { makeEvent, makeExtras, makeFixture, makeMember, makeRegistration, registrationFor } from '../support/make.ts'
import { makeMany } from '../support/make-many.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

const ask = (eventId: number, authorization: string) => app.raw(doorApi.getPaperList, { eventId }, { authorization })

/** The text of each page, without the places of its parts. */
async function pagesOf(answer: Response): Promise<string[]> {
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  const data = new Uint8Array(await answer.arrayBuffer())
  const document = await getDocument({ data, useSystemFonts: false, disableFontFace: true, verbosity: 0 }).promise
  const pages: string[] = []
  for (let number = 1; number <= document.numPages; number++) {
    const { items } = await (await document.getPage(number)).getTextContent()
    pages.push(items.map((item) => ('str' in item ? item.str : '')).join(' '))
  }
  return pages
}

test('the list for paper has everybody with a place by name, with short code and vouchers', async () => {
  const { club, token, event } = await makeFixture(app)
  const drinks = await makeExtras(app, token, event.id, { name: 'Drinks', price: 0 })
  const zoe = await makeRegistration(app, event, { name: 'Zoë Žukauskaitė', extrasIds: [drinks.id, drinks.id] })
  const ada = await makeRegistration(app, event, { name: 'Ada Moreau' })
  const gone = await makeRegistration(app, event, { name: 'Gone Again' })
  await app.call(attendeeApi.updateStatus, { payload: { id: gone.id, eventId: event.id, status: 'cancelled' } }, token)
  const newCheckin = { registrationId: ada.id, status: true }
  await app.call(checkinApi.save, { payload: { newCheckin, eventId: event.id } }, token)
  const [text = ''] = await pagesOf(await ask(event.id, token))
  for (const part of ['Summer party', '2 people', shortCode(zoe), shortCode(ada), '2 × Drinks', 'page 1 of 1'])
    expect(text).toContain(part)
  expect(text.indexOf('Ada Moreau')).toBeLessThan(text.indexOf('Zoë'))
  expect(text).not.toContain('Gone Again')
  // The short code is the beginning of the secret: a helper gets the number alone.
  const helper = await makeMember(app, { clubId: club.id, token }, 'door', [event.id])
  const [forHelper = ''] = await pagesOf(await ask(event.id, helper.token))
  expect(forHelper).toContain(String(zoe.id))
  expect(forHelper).not.toContain(shortCode(zoe))
  // What is used up is left out, and of what is begun the rest is named.
  const bought = await app.call(ticketApi.getRegistration, { registrationId: zoe.id }, token)
  const redeem = (at: number, units?: { name: string; count: number }[]) => {
    const code = voucherUrl('https://turnout.test', bought.extras[at] ?? { id: 0, qrUuid: '' })
    const payload = { qrCodeData: code, eventId: event.id, ...(units && { units }) }
    return app.call(redemptionApi.scanByExtrasPurchaseId, { payload }, token)
  }
  await redeem(0)
  const [afterOne = ''] = await pagesOf(await ask(event.id, token))
  expect(afterOne).not.toContain('2 × Drinks')
  await redeem(1)
  const [afterBoth = ''] = await pagesOf(await ask(event.id, token))
  expect(afterBoth).not.toContain('Drinks')
  const treasurer = await makeMember(app, { clubId: club.id, token }, 'treasurer')
  expect((await ask(event.id, treasurer.token)).status).toBe(403)
})

test('where there are several types of ticket, the list names them', async () => {
  const { token, event } = await makeFixture(app)
  const [first] = await app.call(ticketTypeApi.getTicketTypes, { eventId: event.id })
  const ticketTypes = [{ id: first?.id, name: 'Adult' }, { name: 'Child' }]
  const types = await app.call(ticketTypeApi.saveTicketTypes, { payload: { eventId: event.id, ticketTypes } }, token)
  const { newRegistration } = registrationFor(event, { name: 'Bo' })
  const ticketTypeId = types.find(({ name }) => name === 'Child')?.id
  await app.call(registrationApi.initRegistration, {
    newRegistration: { ...newRegistration, ticketTypeId },
    extrasIds: [],
  })
  const [text] = await pagesOf(await ask(event.id, token))
  expect(text).toMatch(/Bo .*Child/)
  expect(text).not.toContain('Adult')
})

test('nobody fills no page, hundreds fill several, and thousands are refused in words', async () => {
  const { token } = await makeFixture(app)
  const event = await makeEvent(app, token)
  expect((await ask(event.id, token)).status).toBe(404)
  await makeMany(app, event, 120)
  const pages = await pagesOf(await ask(event.id, token))
  expect(pages).toHaveLength(5)
  expect(pages.at(-1)).toContain('page 5 of 5')
  const codes = pages.flatMap((page) => page.match(/\b\d+-[0-9A-F]{8}\b/g) ?? [])
  expect(new Set(codes).size).toBe(120)
  const large = await makeEvent(app, token)
  await makeMany(app, large, 5_001)
  const refused = await ask(large.id, token)
  expect(refused.status).toBe(422)
  expect(await refused.text()).toContain('5,000')
})
