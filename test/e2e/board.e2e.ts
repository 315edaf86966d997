import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boardApi } from '../../src/contract/board.ts'
import { doorApi } from '../../src/contract/door.ts'
import { securityApi } from '../../src/contract/security.ts'
import { practiceCode, practiceKinds } from '../../src/contract/values/practice-codes.ts'
import { makeCameraFilm } from '../support/camera-film.ts'
import { callAt } from '../support/remote.ts'
import { until } from '../support/serve.ts'
import { expectAccessible, launch, openPage, openSection, signIn } from './browser.ts'
import {
  ANA,
  beep,
  type DoorFixture,
  expectVerdict,
  nextPlease,
  openPhone,
  PHONE,
  startDoorFixture,
} from './door-set-up.ts'

let fixture: DoorFixture
let browser: Browser
beforeAll(async () => {
  fixture = await startDoorFixture(3983)
  browser = await launch(makeCameraFilm(practiceCode('valid')))
})
afterAll(async () => {
  await browser.close()
  await fixture.served.stop()
})

const board = async () => {
  const input = { eventId: fixture.event.id }
  return (await callAt(fixture.served.url, boardApi.getBoard, input, fixture.token)).payload
}

async function openBoard(viewport?: typeof PHONE): Promise<Page> {
  const page = await openPage(browser, viewport)
  await signIn(page, fixture.served, ANA)
  await page.goto(`${fixture.served.url}/event/${fixture.event.id}`)
  await openSection(page, 'Helpers')
  await page.getByRole('heading', { name: 'Helpers', level: 1 }).waitFor()
  return page
}

const row = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Phones at the door' }).getByRole('listitem').filter({ hasText: name })

async function practise(phone: Page): Promise<void> {
  await phone.getByRole('button', { name: 'Settings' }).click()
  await phone.getByRole('switch', { name: 'Practise' }).click()
  await phone.getByText('Practice is on').waitFor()
}

/** Everything that a scan could change. */
async function counts(phone: Page) {
  const { expected, inside, lately } = await board()
  const rows = await fixture.attendees()
  const header = await phone.locator('main header li').first().innerText()
  return { expected, inside, lately, header, rows: JSON.stringify(rows.map(({ checkin }) => checkin)) }
}

test('the board shows three phones with what is wrong and what to do, one of them offline, and stays while it is offline itself', async () => {
  const guest = await fixture.guest('Gil Guest')
  const staff = await openBoard()
  await staff.getByText('No phone has opened the scanner yet.').waitFor()
  const ready = await openPhone(browser, fixture, { name: 'Gate A' })
  const blocked = await openPhone(browser, fixture, { name: 'Gate B' })
  const gone = await openPhone(browser, fixture, { name: 'Gate C' })
  await row(staff, 'Gate A').getByText('Ready', { exact: true }).waitFor()
  await row(staff, 'Gate C').getByText('Ready', { exact: true }).waitFor()
  await blocked.context().addInitScript(() => {
    if (localStorage.getItem('blocked') === null) return
    const refuse = () => Promise.reject(new DOMException('', 'NotAllowedError'))
    Object.defineProperty(navigator.mediaDevices, 'getUserMedia', { value: refuse })
  })
  await blocked.evaluate(() => localStorage.setItem('blocked', 'yes'))
  await blocked.reload()
  await row(staff, 'Gate B').getByText('Not ready: no camera').waitFor()
  await row(staff, 'Gate B').getByText('Allow the camera in its browser').waitFor()
  await staff.getByText('2 of 3').waitFor()
  await expectAccessible(staff)

  await gone.context().setOffline(true)
  await gone.getByText('No network').waitFor()
  await blocked.evaluate(() => localStorage.removeItem('blocked'))
  await blocked.reload()
  // Browsers play no sound before the first touch or key.
  await row(staff, 'Gate B').getByText('Not ready: sound waits for a tap').waitFor()
  await blocked.keyboard.press('Shift')
  await row(staff, 'Gate B').getByText('Ready', { exact: true }).waitFor()
  await beep(ready, fixture.codeOf(guest))
  await expectVerdict(ready, 'in', 'Gil Guest')
  await staff.getByRole('region', { name: 'Arrived' }).getByText('1 of 1').waitFor()
  await staff.getByText('1 person in the last ten minutes').waitFor()
  // A phone counts as offline when three reports are missing.
  await row(staff, 'Gate C')
    .getByText(/^Offline for/)
    .waitFor({ timeout: 90_000 })
  await row(staff, 'Gate C').getByText('What it scans without network is sent later.').waitFor()
  await row(staff, 'Gate A').getByText('More about this phone').click()
  await row(staff, 'Gate A')
    .getByText(/^1, 0\.2 per min$/)
    .waitFor()

  await staff.context().setOffline(true)
  await staff.getByText('No connection. This is how it was at').waitFor()
  await row(staff, 'Gate A').getByText('Ready', { exact: true }).waitFor()
  await staff.context().setOffline(false)
  await gone.context().setOffline(false)
  await row(staff, 'Gate C').getByText('Ready', { exact: true }).waitFor()
  for (const page of [staff, ready, blocked, gone]) await page.context().close()
})

test('a rehearsal shows every verdict of the night, also without network, and changes no count', async () => {
  const guest = await fixture.guest('Rea Real')
  const phone = await openPhone(browser, fixture, { name: 'Gate R' })
  const writes: string[] = []
  phone.on('request', (request) => {
    if (request.method() === 'POST' && !request.url().endsWith('/reportPhone')) writes.push(request.url())
  })
  // The camera sees a practice code all the time: outside of practice it is no ticket.
  await expectVerdict(phone, 'refused', 'Practice code')
  await nextPlease(phone)
  const before = await counts(phone)
  await phone.context().setOffline(true)
  await phone.getByText('No network').waitFor()
  await practise(phone)
  await expectAccessible(phone)
  const verdicts: [(typeof practiceKinds)[number], 'in' | 'already' | 'refused' | 'unpaid', string][] = [
    ['already', 'already', 'Already in'],
    ['cancelled', 'refused', 'Cancelled'],
    ['unpaid', 'unpaid', 'Not paid'],
    ['other', 'refused', 'Other event'],
    ['voucher', 'refused', 'A voucher'],
    ['unknown', 'refused', 'Unknown code'],
    ['valid', 'in', 'Pat Practice'],
  ]
  for (const [kind, look, text] of verdicts) {
    await beep(phone, practiceCode(kind))
    await expectVerdict(phone, look, text)
    await nextPlease(phone)
  }
  expect(verdicts.map(([kind]) => kind).sort()).toEqual([...practiceKinds].sort())
  expect(await phone.getByRole('img', { name: 'Scanned', exact: true }).count()).toBe(practiceKinds.length)
  expect(await phone.getByLabel('Name or code').count()).toBe(0)
  await phone.context().setOffline(false)
  const staff = await openBoard(PHONE)
  await row(staff, 'Gate R').getByText('Practising', { exact: true }).waitFor()
  await row(staff, 'Gate R').getByText('More about this phone').click()
  await row(staff, 'Gate R').getByText('Practised 7 of 7 codes').waitFor()
  await expectAccessible(staff)

  // A real ticket admits nobody, until practice is ended with one tap.
  await beep(phone, fixture.codeOf(guest))
  await phone.getByText('Practice is on, and this is not a practice code.').waitFor()
  expect(await counts(phone)).toEqual(before)
  expect(writes).toEqual([])
  await phone.getByRole('button', { name: 'End practice and check it' }).click()
  await expectVerdict(phone, 'in', 'Rea Real')
  await nextPlease(phone)
  expect(await phone.getByText('Practice is on').count()).toBe(0)
  const after = await counts(phone)
  expect(after.inside).toBe(before.inside + 1)
  for (const page of [staff, phone]) await page.context().close()
})

test('organisers show the practice codes on the screen, each of which a phone reads', async () => {
  const staff = await openBoard(PHONE)
  await staff.getByRole('link', { name: 'Practice codes' }).click()
  await staff.getByRole('heading', { name: 'Practice codes', level: 1 }).waitFor()
  expect(await staff.getByRole('img', { name: /^Practice code: / }).count()).toBe(practiceKinds.length)
  const helpers = staff.locator('nav[data-nav="event"] a[href$="/door"]').first()
  expect(await helpers.getAttribute('aria-current')).toBe('true')
  await expectAccessible(staff)
  await staff.getByRole('link', { name: 'Back to the helpers' }).click()
  await staff.getByRole('heading', { name: 'Helpers', level: 1 }).waitFor()
  expect(await helpers.getAttribute('aria-current')).toBe('page')
  await staff.context().close()
})

test('practice ends by itself, and the voucher scanner practises too', async () => {
  const phone = await openPhone(browser, fixture, { name: 'Gate V' })
  await phone.clock.install()
  await phone.goto(`${fixture.served.url}/event/${fixture.event.id}/scanner/voucher`)
  await phone.getByText('Up to date').waitFor()
  await practise(phone)
  await beep(phone, practiceCode('voucher'))
  await expectVerdict(phone, 'in', 'Redeemed')
  await nextPlease(phone)
  await phone.clock.fastForward('15:10')
  await phone.getByText('Practice is on').waitFor({ state: 'detached' })
  await beep(phone, practiceCode('voucher'))
  await expectVerdict(phone, 'refused', 'Practice code')
  await phone.context().close()
})

test('a ticket that waits behind the question of practice is asked about too, and the focus is on what records nothing', async () => {
  const [one, two] = [await fixture.guest('Una Uno'), await fixture.guest('Dua Due')]
  const phone = await openPhone(browser, fixture, { name: 'Gate Q' })
  await practise(phone)
  const before = (await board()).inside
  await beep(phone, fixture.codeOf(one))
  const goOn = phone.getByRole('button', { name: 'Go on practising' })
  await goOn.waitFor()
  expect(await goOn.evaluate((element) => element === document.activeElement)).toBe(true)
  await beep(phone, fixture.codeOf(two))
  await phone.getByRole('button', { name: 'End practice and check it' }).click()
  await expectVerdict(phone, 'in', 'Una Uno')
  await goOn.waitFor()
  expect((await board()).inside).toBe(before + 1)
  await phone.getByRole('button', { name: 'End practice and check it' }).click()
  await expectVerdict(phone, 'in', 'Dua Due')
  await phone.context().close()
})

test('the board says when it gets no answer, and when it is over', async () => {
  const staff = await openBoard()
  await staff.getByRole('region', { name: 'Phones at the door' }).waitFor()
  // Neither answered nor refused.
  await staff.route('**/api/checkin/getBoard*', () => {})
  await staff.getByText('No connection. This is how it was at').waitFor()
  await staff.unroute('**/api/checkin/getBoard*')
  await staff.context().close()
  const later = await openBoard()
  await later.getByRole('region', { name: 'Phones at the door' }).waitFor()
  await later.route('**/api/checkin/getBoard*', (route) =>
    route.fulfill({ status: 404, json: { status: 404, code: 'NOT_FOUND', msg: 'There is no such event.' } }),
  )
  await later.getByText('This page no longer updates. This is how it was at').waitFor()
  await later.context().close()
})

test('a scanner that is closed says so at once', async () => {
  const isShown = async (name: string) => (await board()).phones.find((phone) => phone.name === name)?.isShown
  const saysSo = async (name: string) => {
    const phone = await openPhone(browser, fixture, { name })
    await until(async () => (await isShown(name)) === true, 30_000, 'the phone is on the board')
    await phone.close({ runBeforeUnload: true })
    return until(async () => (await isShown(name)) === false, 10_000, 'the board knows that it is closed')
  }
  // Chromium ends a page that takes longer than half a second to close, which happens on a busy machine. So one of three may fail.
  let failures = 0
  for (const name of ['Gate X', 'Gate Y', 'Gate Z'])
    await saysSo(name).catch((error: unknown) => {
      failures++
      if (failures > 1) throw error
    })
})

test('the scanner goes on when the club requires two-step sign-in meanwhile', async () => {
  const guest = await fixture.guest('Stella Still')
  const phone = await openPhone(browser, fixture, { name: 'Gate S' })
  const { id: eventId, clubId } = fixture.event
  const { url } = fixture.served
  await callAt(url, securityApi.requireFactor, { payload: { clubId, isRequired: true } }, fixture.token)
  const tab = await phone.context().newPage()
  await tab.goto(`${fixture.served.url}/dashboard/admin`)
  await tab.getByRole('heading', { name: 'Set up two-step sign-in' }).waitFor()
  await tab.close()
  await phone.getByText('now requires two-step sign-in').waitFor()
  await expectAccessible(phone)
  await beep(phone, fixture.codeOf(guest))
  await expectVerdict(phone, 'in', 'Stella Still')
  const isIn = async () => {
    const { tickets } = (await callAt(url, doorApi.getDoorList, { eventId }, fixture.token)).payload
    return tickets.some(({ name, in: checkin }) => name === 'Stella Still' && checkin !== null)
  }
  await until(isIn, 10_000, 'the server knows it')
  await phone.context().close()
})
