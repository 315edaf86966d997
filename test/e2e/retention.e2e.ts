import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Served, serve } from '../support/serve.ts'
import { expectAccessible, launch, listenForErrors, openPage } from './browser.ts'
import { add, openClub, post, regatta } from './club.ts'

let served: Served
let browser: Browser

beforeAll(async () => {
  served = await serve({ port: 4046, env: { LIMITS: 'off' } })
  browser = await launch()
})
afterAll(async () => {
  await browser.close()
  await served.stop()
})

test('a club says for how long it keeps personal data, an event for itself, and visitors read it at the form', async () => {
  const owner = await openClub(browser, served, 'Forgetful Club')
  const wrong = listenForErrors(owner)
  const { id: eventId, clubId } = await post(owner, 'event/save', regatta)
  const sentence = async () => {
    const visitor = await openPage(browser)
    await visitor.goto(`${served.url}/club/${clubId}/event/${eventId}`)
    const text = await visitor.getByText('gets these details').innerText()
    await visitor.context().close()
    return text
  }
  expect(await sentence()).toContain('and deletes them 180 days after it.')

  await owner.goto(`${served.url}/club/edit`)
  const days = owner.getByLabel('Delete personal data after an event (days)')
  expect(await days.isVisible()).toBe(false)
  const fold = owner.locator('summary', { hasText: 'Personal data' })
  await fold.click()
  expect(await days.inputValue()).toBe('180')
  await days.fill('7')
  await fold.click()
  await owner.getByRole('button', { name: 'Save' }).click()
  // What is wrong comes into view, and has the focus.
  await owner.getByText('Enter 0, or 30 to 3650 days.').waitFor()
  await days.and(owner.locator(':focus')).waitFor()
  await expectAccessible(owner)
  await days.fill('0')
  await owner.getByRole('button', { name: 'Save' }).click()
  await owner.waitForURL((url) => !url.pathname.endsWith('/edit'))
  expect(await sentence()).toBe('Forgetful Club gets these details, to run the event. Privacy policy')
  await owner.goto(`${served.url}/club/edit`)
  await fold.click()
  await owner.getByText('At present this club keeps personal data until somebody deletes them.').waitFor()

  await owner.goto(`${served.url}/event/${eventId}/edit`)
  await owner.getByLabel('Delete personal data after the event (days').fill('60')
  await owner.getByRole('button', { name: 'Save' }).click()
  await owner.waitForURL((url) => !url.pathname.endsWith('/edit'))
  expect(await sentence()).toContain('and deletes them 60 days after it.')
  expect(wrong).toEqual([])
  await owner.context().close()
})

test('what the club keeps about one person is found across its events, downloaded, and deleted', async () => {
  const owner = await openClub(browser, served, 'Asked Club')
  const wrong = listenForErrors(owner, /ERR_FAILED/)
  const regattaEvent = await post(owner, 'event/save', regatta)
  const dinner = await post(owner, 'event/save', { ...regatta, name: 'Committee dinner' })
  const { id } = await add(owner, dinner.id, 'Ada Moreau')
  await add(owner, regattaEvent.id, 'Ada Moreau')
  await add(owner, dinner.id, 'Bo Ek')
  await post(owner, 'registration/updateStatus', { payload: { id, eventId: dinner.id, status: 'cancelled' } })
  await owner.reload()
  await owner.getByLabel('Account: Sam Sailor').click()
  await owner.getByRole('link', { name: 'Personal data' }).click()
  await owner.getByRole('heading', { name: 'Personal data', level: 1 }).waitFor()
  await owner.getByRole('button', { name: 'Find person' }).click()
  await owner.getByText('Enter an e-mail address, a name or a phone number.').waitFor()
  await owner.getByLabel('E-mail, name or phone').fill('moreau')
  await owner.keyboard.press('Enter')
  await owner.getByText('2 entries found').waitFor()
  await owner.getByText('Cannot be deleted yet: the event is not over.').waitFor()
  expect(owner.url()).not.toContain('moreau')
  await expectAccessible(owner)
  await owner.getByRole('button', { name: 'Delete personal data' }).and(owner.locator(':disabled')).waitFor()
  await owner.getByLabel('Choose all').check()
  const [file] = await Promise.all([
    owner.waitForEvent('download'),
    owner.getByRole('button', { name: 'Download as spreadsheet' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^Personal-data-\d{8}T\d{6}\.xlsx$/)
  await owner.getByRole('button', { name: 'Delete personal data' }).click()
  const dialog = owner.getByRole('dialog', { name: 'Delete the personal data of 1 entry?' })
  // The dialog has its name a moment after it opens.
  await dialog.waitFor()
  await expectAccessible(owner)
  // The network is cut: nothing is said to be deleted.
  await owner.route('**/api/personalData/deleteRecords', (route) => route.abort(), { times: 1 })
  await dialog.getByRole('button', { name: 'Delete for good' }).click()
  await dialog.waitFor({ state: 'detached' })
  await owner.getByRole('button', { name: 'Delete personal data' }).click()
  await dialog.getByRole('button', { name: 'Delete for good' }).click()
  await owner.getByText('The personal data of 1 entry are deleted.').waitFor()
  await owner.getByText('1 entry found').waitFor()
  await owner.getByRole('listitem').filter({ hasText: 'Regatta' }).waitFor()
  await owner.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(owner)
  expect(wrong).toEqual([])
})
