import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { extrasApi } from '../../src/contract/extras.ts'
import { type Registration, registrationApi } from '../../src/contract/registrations.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import { ticketUrl, voucherCode, voucherUrl } from '../../src/contract/values/ticket-codes.ts'
import { makeCameraFilm } from '../support/camera-film.ts'
import { registrationFor } from '../support/make.ts'
import { callAt } from '../support/remote.ts'
import { until } from '../support/serve.ts'
import { expectAccessible, launch } from './browser.ts'
import { beep, type DoorFixture, expectVerdict, nextPlease, openPhone, startDoorFixture } from './door-set-up.ts'

let fixture: DoorFixture
let extrasId: number
beforeAll(async () => {
  fixture = await startDoorFixture(3945)
  const drinks = {
    eventId: fixture.event.id,
    name: 'Drinks',
    description: '',
    price: 0,
    content: [{ name: 'Drink', quantity: 3 }],
    maxQuantity: null,
  }
  extrasId = (await callAt(fixture.served.url, extrasApi.saveExtras, { payload: drinks }, fixture.token)).payload.id
})
afterAll(() => fixture.served.stop())

const vouchersOf = async ({ id: registrationId, qrUuid }: Registration) =>
  (await callAt(fixture.served.url, ticketApi.getRegistration, { registrationId, qrUuid })).payload.extras
const redeemed = async (registration: Registration) =>
  (await vouchersOf(registration)).map(({ content }) => content[0]?.redeemed ?? 0)

async function guest(name: string, vouchers: number) {
  const request = {
    ...registrationFor(fixture.event, { name }),
    extrasIds: Array.from({ length: vouchers }, () => extrasId),
  }
  const { payload } = await callAt(fixture.served.url, registrationApi.initRegistration, request)
  return payload.savedRegistration
}

/** A phone at the bar, ready to work without network. */
async function openBar(browser: Browser, name: string): Promise<Page> {
  const page = await openPhone(browser, fixture, { name })
  await page.goto(`${fixture.served.url}/event/${fixture.event.id}/scanner/voucher`)
  await page.getByText('Up to date').waitFor()
  await page.getByText('Works offline').waitFor()
  return page
}

test('a voucher in front of the camera shows what is left; it is redeemed unit by unit, used up, and taken back', async () => {
  const pia = await guest('Pia Payer', 1)
  const [voucher] = await vouchersOf(pia)
  if (!voucher) throw new Error('There is no voucher.')
  const browser = await launch(makeCameraFilm(voucherUrl(fixture.served.url, voucher)))
  try {
    const page = await openBar(browser, 'Bar')
    await page.getByRole('button', { name: '1 × Drink, 3 of 3 left' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: '1 × Drink, 3 of 3 left' }).click()
    await expectVerdict(page, 'in', '1 × Drink of Drinks. Left: 2 × Drink.')
    // If the answer is slow, the phone decides by its list and sends the redemption a moment later.
    await until(async () => (await redeemed(pia))[0] === 1, 30_000, 'one drink is redeemed')
    await nextPlease(page)
    await beep(page, voucherCode(voucher))
    await page.getByRole('button', { name: 'All that is left of Drinks' }).click()
    await expectVerdict(page, 'in', 'Nothing is left.')
    await nextPlease(page)
    await beep(page, ticketUrl(fixture.served.url, pia))
    await expectVerdict(page, 'already', 'Nothing of Drinks is left.')
    await expectAccessible(page)
    await nextPlease(page)
    await page.getByRole('button', { name: 'Take back Pia Payer: 2 × Drink' }).click()
    await until(async () => (await redeemed(pia))[0] === 1, 30_000, 'two drinks are there again')

    const none = await guest('Nora Nothing', 0)
    await beep(page, ticketUrl(fixture.served.url, none))
    await expectVerdict(page, 'refused', 'This ticket has no vouchers.')
    await beep(page, 'https://example.org/menu')
    await expectVerdict(page, 'refused', 'This is not a Turnout code.')
    await nextPlease(page)
    await page.getByLabel('Name or code').fill('pia')
    await page.getByRole('button', { name: 'Vouchers of Pia Payer' }).click()
    await page.getByRole('button', { name: 'Not now' }).click()
  } finally {
    await browser.close()
  }
})

test('two phones without network give out what each thinks is there: it counts once, and the rest is a conflict', async () => {
  const ada = await guest('Ada Offline', 1)
  const [voucher] = await vouchersOf(ada)
  if (!voucher) throw new Error('There is no voucher.')
  const browser = await launch()
  try {
    const [one, two] = [await openBar(browser, 'Bar 1'), await openBar(browser, 'Bar 2')]
    for (const page of [one, two]) {
      await page.context().setOffline(true)
      await page.reload()
      await page.getByText('No network').waitFor()
      await beep(page, voucherUrl(fixture.served.url, voucher))
      await page.getByRole('button', { name: 'All that is left of Drinks' }).click()
      await expectVerdict(page, 'in', '3 × Drink of Drinks. Nothing is left.')
      await page.getByText('1 to send').waitFor()
      await beep(page, voucherUrl(fixture.served.url, voucher))
      await expectVerdict(page, 'already', 'Nothing of Drinks is left.')
    }
    expect(await redeemed(ada)).toEqual([0])
    for (const page of [one, two]) {
      await page.context().setOffline(false)
      await page.getByText('All sent').waitFor()
    }
    expect(await redeemed(ada)).toEqual([3])
    expect(await fixture.conflicts()).toMatchObject([{ name: 'Ada Offline', voucher: 'Drinks: 3 × Drink' }])
    await one.getByRole('button', { name: '1 conflict' }).click()
    await one.getByText('Given out (Drinks: 3 × Drink)').waitFor()
    await expectAccessible(one)
  } finally {
    await browser.close()
  }
})

test('a code that is read while somebody’s vouchers are open waits until they are closed', async () => {
  const [one, two] = [await guest('Uma Unsure', 1), await guest('Vic Voucher', 1)]
  const browser = await launch()
  try {
    const page = await openBar(browser, 'Bar')
    await beep(page, ticketUrl(fixture.served.url, one))
    await page.getByRole('heading', { name: 'Uma Unsure' }).waitFor()
    await beep(page, ticketUrl(fixture.served.url, two))
    await page.getByRole('button', { name: 'Not now' }).click()
    await page.getByRole('heading', { name: 'Vic Voucher' }).waitFor()
    await page.getByRole('button', { name: 'Not now' }).click()
    await beep(page, ticketUrl(fixture.served.url, one))
    await page.getByRole('heading', { name: 'Uma Unsure' }).waitFor()
  } finally {
    await browser.close()
  }
})
