import type { Browser, Locator, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { eventApi } from '../../src/contract/events.ts'
import { extrasApi } from '../../src/contract/extras.ts'
import { formApi } from '../../src/contract/forms.ts'
import { callAt } from '../support/remote.ts'
import { until } from '../support/serve.ts'
import { expectAccessible, launch, openPage, signIn } from './browser.ts'
import { ANA, type DoorFixture, expectVerdict, nextPlease, openPhone, PHONE, startDoorFixture } from './door-set-up.ts'

let fixture: DoorFixture
let browser: Browser
beforeAll(async () => {
  fixture = await startDoorFixture(4032)
  const { served, token } = fixture
  const eventId = fixture.event.id
  const question = { typeId: 4, text: 'Meal', required: true, options: ['Fish', 'Rice'] }
  await callAt(served.url, formApi.save, { payload: { eventId, formQuestions: [question], rmQIds: [] } }, token)
  const drinks = { eventId, name: 'Drinks', description: '', price: 0, content: [], maxQuantity: null }
  await callAt(served.url, extrasApi.saveExtras, { payload: drinks }, token)
  browser = await launch()
})
afterAll(async () => {
  await browser.close()
  await fixture.served.stop()
})

const event = async () =>
  (await callAt(fixture.served.url, eventApi.getEvent, { eventId: fixture.event.id }, fixture.token)).payload
const names = async () =>
  (await fixture.attendees()).map(({ registration, checkin }) => ({
    name: registration.registrationData.name,
    isIn: checkin?.status === true,
  }))

async function addSomebody(phone: Page, name: string, voucher?: string): Promise<void> {
  await phone.getByRole('button', { name: 'Add somebody' }).click()
  const dialog = phone.getByRole('dialog')
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByLabel('Meal').selectOption('Rice')
  if (voucher) await dialog.getByLabel(voucher).selectOption('1')
  await dialog.getByRole('button', { name: 'Add' }).click()
  await dialog.waitFor({ state: 'detached' })
}

test('two phones without network add people within the places that they keep, and all of them are there when it is back', async () => {
  const { served, token } = fixture
  const eventId = fixture.event.id
  await callAt(served.url, eventApi.save, { id: eventId, maxAttendees: 4 }, token)
  const left = await openPhone(browser, fixture, { name: 'Left gate' })
  const right = await openPhone(browser, fixture, { name: 'Right gate' })

  const board = await openPage(browser)
  await signIn(board, served, ANA)
  await board.goto(`${served.url}/event/${eventId}/door`)
  const places = board.getByRole('region', { name: 'Places for people without a ticket' })
  const give = async (phone: string, count: number) => {
    await places.getByRole('button', { name: new RegExp(`^Change the places of .*${phone}`) }).click()
    const dialog = board.getByRole('dialog')
    await dialog.getByLabel('Places that it keeps').fill(String(count))
    if (count === 5) await expectAccessible(board)
    await dialog.getByRole('button', { name: 'Save places' }).click()
  }
  await give('Left gate', 5)
  await board.getByRole('dialog').getByText('Not that many places are free.').waitFor()
  await board.getByRole('dialog').getByLabel('Places that it keeps').fill('2')
  await board.getByRole('button', { name: 'Save places' }).click()
  await board.getByRole('dialog').waitFor({ state: 'detached' })
  await places.getByText('keeps 2 places').waitFor()
  await give('Right gate', 2)
  await places.getByText('No places are free besides these.').waitFor()
  await expectAccessible(board)
  expect(await event()).toMatchObject({ registrationCount: 0, walkInPlaces: 4 })

  // Both have heard of their places when they lose the network.
  for (const phone of [left, right]) {
    await until(
      () => phone.evaluate(placesStored, eventId).then((count) => count === 2),
      30_000,
      'the phone knows its places',
    )
    await phone.context().setOffline(true)
    await phone.getByText('No network').waitFor()
    await phone.getByText('Without network: 2 places left').waitFor()
  }
  await left.getByRole('button', { name: 'Add somebody' }).click()
  await expectAccessible(left)
  const dialog = left.getByRole('dialog')
  // Refused by the phone itself, so that nobody is let in whom the server would refuse later.
  await dialog.getByLabel('E-mail').fill('ada@')
  await dialog.getByRole('button', { name: 'Add' }).click()
  for (const wrong of ['Name', 'E-mail', 'Meal'])
    await dialog.getByLabel(wrong).and(left.locator('[aria-invalid="true"]')).waitFor()
  await dialog.getByLabel('Name').fill('Ada Moreau')
  await dialog.getByLabel('E-mail').fill('ada@example.org')
  await dialog.getByLabel('Meal').selectOption('Fish')
  await dialog.getByLabel('Drinks').selectOption('2')
  // Two taps before the button shows that it is busy.
  await dialog.getByRole('button', { name: 'Add' }).evaluate((button: HTMLElement) => {
    button.click()
    button.click()
  })
  await expectVerdict(left, 'in', 'Ada Moreau')
  await left.getByText('Without network: 1 place left').waitFor()
  await left.getByLabel('Name or code').fill('moreau')
  await left.getByText('Added here, not sent yet').waitFor()

  // The phone restarts, still without network.
  await left.reload()
  await left.getByText('Without network: 1 place left').waitFor()
  await addSomebody(left, 'Bo Ek')
  await expectVerdict(left, 'in', 'Bo Ek')
  await left.getByText('Without network: no places left').waitFor()
  expect(await left.getByRole('button', { name: 'Add somebody' }).isDisabled()).toBe(true)
  for (const name of ['Cy Dale', 'Di Eng']) {
    await addSomebody(right, name)
    await expectVerdict(right, 'in', name)
  }

  for (const phone of [left, right]) {
    await phone.context().setOffline(false)
    await phone.getByText('All sent').waitFor()
  }
  await until(async () => (await names()).length === 4, 30_000, 'everybody is registered')
  expect((await names()).sort((a, b) => a.name.localeCompare(b.name))).toEqual(
    ['Ada Moreau', 'Bo Ek', 'Cy Dale', 'Di Eng'].map((name) => ({ name, isIn: true })),
  )
  const ada = (await fixture.attendees()).find(
    ({ registration }) => registration.registrationData.name === 'Ada Moreau',
  )
  expect(ada?.extras.map(({ name }) => name)).toEqual(['Drinks', 'Drinks'])
  expect(await event()).toMatchObject({ registrationCount: 4, walkInPlaces: 0 })
})

/** How many places the phone has stored for the event. */
async function placesStored(eventId: number): Promise<number> {
  const opened = indexedDB.open('turnout-walk-ins')
  const store = await new Promise<IDBDatabase>((resolve, reject) => {
    opened.onsuccess = () => resolve(opened.result)
    opened.onerror = () => reject(opened.error)
  })
  const request = store.transaction('quotas').objectStore('quotas').get(eventId)
  const row = await new Promise<{ quota: { granted: number } } | undefined>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  }).finally(() => store.close())
  return row?.quota.granted ?? 0
}

test('a phone that is to give places back keeps what it has given, and the rest is free when it has network', async () => {
  const { served, token } = fixture
  const eventId = fixture.event.id
  await callAt(served.url, eventApi.save, { id: eventId, maxAttendees: 10 }, token)
  const phone = await openPhone(browser, fixture, { name: 'Third gate' })
  const board = await openPage(browser, PHONE)
  await signIn(board, served, ANA)
  await board.goto(`${served.url}/event/${eventId}/door`)
  const places = board.getByRole('region', { name: 'Places for people without a ticket' })
  const give = async (count: number, isLost = false): Promise<void> => {
    await places.getByRole('button', { name: /^Change the places of .*Third gate/ }).click()
    const dialog = board.getByRole('dialog')
    if (isLost) await dialog.getByLabel('This phone is lost or broken').check()
    else await dialog.getByLabel('Places that it keeps').fill(String(count))
    await dialog.getByRole('button', { name: 'Save places' }).click()
    // The board may not have known yet what the phone has done since.
    const isOld = dialog.getByText('Somebody else has changed these places in the meantime.')
    const isSaved = dialog.waitFor({ state: 'detached' }).then(() => true)
    if (await Promise.race([isSaved, isOld.waitFor().then(() => false)])) return
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await isSaved
    return give(count, isLost)
  }
  await give(4)
  await until(
    () => phone.evaluate(placesStored, eventId).then((count) => count === 4),
    30_000,
    'the phone knows its places',
  )
  await phone.context().setOffline(true)
  await phone.getByText('Without network: 4 places left').waitFor()
  await addSomebody(phone, 'Eve Fox')
  await give(0)
  await places.getByText('gives up to 4 back when it has network').waitFor()
  expect(await event()).toMatchObject({ registrationCount: 4, walkInPlaces: 4 })
  await phone.context().setOffline(false)
  await until(async () => (await event()).walkInPlaces === 0, 30_000, 'the places are free')
  expect(await event()).toMatchObject({ registrationCount: 5 })

  await give(2)
  await until(async () => (await event()).walkInPlaces === 2, 30_000, 'the phone keeps places again')
  await phone.context().setOffline(true)
  await give(0, true)
  await until(async () => (await event()).walkInPlaces === 0, 30_000, 'the places of the lost phone are free')
})

test('with network, a full event still has the places that the phone keeps; a server that does not answer in time is not waited for', async () => {
  const { served, token } = fixture
  const eventId = fixture.event.id
  const before = (await event()).registrationCount
  await callAt(served.url, eventApi.save, { id: eventId, maxAttendees: before + 2 }, token)
  const phone = await openPhone(browser, fixture, { name: 'Fourth gate' })
  const board = await openPage(browser)
  await signIn(board, served, ANA)
  await board.goto(`${served.url}/event/${eventId}/door`)
  await board.getByRole('button', { name: /^Change the places of .*Fourth gate/ }).click()
  await board.getByLabel('Places that it keeps').fill('2')
  await board.getByRole('button', { name: 'Save places' }).click()
  await phone.getByText('This phone keeps 2 places').waitFor()
  await addSomebody(phone, 'Gil Hay')
  await expectVerdict(phone, 'in', 'Gil Hay')
  await phone.getByText('This phone keeps 1 place').waitFor()

  const held: Route[] = []
  await phone.route('**/api/registration/save', (route) => void held.push(route))
  await addSomebody(phone, 'Hal Ibsen')
  await expectVerdict(phone, 'in', 'Hal Ibsen')
  await until(async () => (await names()).some(({ name, isIn }) => name === 'Hal Ibsen' && isIn), 30_000, 'sent')
  // What was on its way arrives after all, and adds nobody twice.
  expect(held).toHaveLength(1)
  await held[0]?.continue()
  await phone.getByText('All sent').waitFor()
  expect(await event()).toMatchObject({ registrationCount: before + 2, walkInPlaces: 0 })
})

test('somebody who got no place is added from the conflict, with what the phone noted; a place taken back is free with network', async () => {
  const { served, token } = fixture
  const eventId = fixture.event.id
  const before = (await event()).registrationCount
  await callAt(served.url, eventApi.save, { id: eventId, maxAttendees: before + 2 }, token)
  const soup = { eventId, name: 'Soup', description: '', price: 0, content: [], maxQuantity: null }
  const { payload: voucher } = await callAt(served.url, extrasApi.saveExtras, { payload: soup }, token)
  const phone = await openPhone(browser, fixture, { name: 'Fifth gate' })
  const board = await openPage(browser, PHONE)
  await signIn(board, served, ANA)
  await board.goto(`${served.url}/event/${eventId}/door`)
  const change = async (fill: (dialog: Locator) => Promise<void>) => {
    await board.getByRole('button', { name: /^Change the places of .*Fifth gate/ }).click()
    await fill(board.getByRole('dialog'))
    await board.getByRole('button', { name: 'Save places' }).click()
    await board.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await change((dialog) => dialog.getByLabel('Places that it keeps').fill('2'))
  await phone.getByText('This phone keeps 2 places').waitFor()
  await phone.context().setOffline(true)
  await phone.getByText('Without network: 2 places left').waitFor()
  await addSomebody(phone, 'Ida Jung')
  await expectVerdict(phone, 'in', 'Ida Jung')
  await nextPlease(phone)
  await phone.getByRole('button', { name: 'Take back Ida Jung' }).click()
  await phone.getByText('1 place taken back can be given again once there is network.').waitFor()
  await addSomebody(phone, 'Kim Lund', 'Soup')
  await expectVerdict(phone, 'in', 'Kim Lund')
  await nextPlease(phone)

  // Its places go to the event’s visitors, because it was thought to be lost.
  await change((dialog) => dialog.getByLabel('This phone is lost or broken').check())
  await callAt(served.url, eventApi.save, { id: eventId, maxAttendees: before }, token)
  await phone.context().setOffline(false)
  await phone.getByRole('button', { name: '1 conflict' }).waitFor()

  await callAt(served.url, extrasApi.removeExtras, { eventId, extrasId: voucher.id }, token)
  await board.goto(`${served.url}/event/${eventId}/attendees`)
  await board.getByRole('button', { name: 'Add Kim Lund' }).click()
  const dialog = board.getByRole('dialog')
  await dialog.getByText('Vouchers that are no longer on sale are left out.').waitFor()
  await expectAccessible(board)
  expect(await dialog.getByLabel('Name').inputValue()).toBe('Kim Lund')
  expect(await dialog.getByLabel('Meal').inputValue()).toBe('Rice')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await dialog.getByRole('alert').getByText('the last place has just gone').waitFor()
  await callAt(served.url, eventApi.save, { id: eventId, maxAttendees: before + 1 }, token)
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await board.getByText('Kim Lund is registered and checked in.').waitFor()
  await board.getByText('They have been added since.').waitFor()
  expect((await names()).find(({ name }) => name === 'Kim Lund')).toEqual({ name: 'Kim Lund', isIn: true })
  const kim = (await fixture.attendees()).find(({ registration }) => registration.registrationData.name === 'Kim Lund')
  const removal = { eventId, registrationId: kim?.registration.id ?? 0 }
  await callAt(served.url, attendeeApi.removeRegistration, removal, token)
  await board.reload()
  await board.getByText('They were added, and removed since.').waitFor()
  expect(await board.getByText('They have been added since.').count()).toBe(0)
})

test('somebody whom the server does not accept is corrected on the phone and sent again', async () => {
  const { served, token } = fixture
  await callAt(served.url, eventApi.save, { id: fixture.event.id, maxAttendees: null }, token)
  const phone = await openPhone(browser, fixture, { name: 'Sixth gate' })
  await phone.context().setOffline(true)
  await phone.getByText('No network').waitFor()
  await addSomebody(phone, 'Lea Mohr')
  await expectVerdict(phone, 'in', 'Lea Mohr')
  await nextPlease(phone)
  const refuse = async (route: Route) => {
    const { payload } = route.request().postDataJSON()
    const answers = payload.scans.map(({ scanId }: { scanId: string }) => ({
      ...{ scanId, code: 'INVALID_INPUT', msg: 'Please check the marked fields.' },
      ...{ registrationId: null, name: null, checkin: null, extrasPurchase: null },
    }))
    await route.fulfill({ json: { payload: { answers } } })
  }
  await phone.route('**/api/checkin/syncScans', refuse)
  await phone.context().setOffline(false)
  await phone.getByRole('button', { name: 'See which' }).click()
  await phone.unroute('**/api/checkin/syncScans', refuse)
  await phone.getByRole('button', { name: 'Change the details of Lea Mohr' }).click()
  const form = phone.getByRole('dialog').filter({ has: phone.getByLabel('Meal') })
  expect(await form.getByLabel('Meal').inputValue()).toBe('Rice')
  await form.getByLabel('Name').fill('Lea Mohr-Noll')
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await phone.getByText('There are none any more.').waitFor()
  await until(async () => (await names()).some(({ name, isIn }) => name === 'Lea Mohr-Noll' && isIn), 30_000, 'sent')
  await phone.keyboard.press('Escape')
  await phone.getByRole('button', { name: 'Take back Lea Mohr-Noll' }).waitFor()
})
