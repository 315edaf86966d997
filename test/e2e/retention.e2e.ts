import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Served, serve } from '../support/serve.ts'
import { expectAccessible, launch, listenForErrors, openPage } from './browser.ts'
import { openClub, post, regatta } from './club.ts'

let served: Served
let browser: Browser

beforeAll(async () => {
  served = await serve({ port: 3994, env: { LIMITS: 'off' } })
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
  const days = owner.getByLabel('Delete personal data so many days after an event')
  expect(await days.inputValue()).toBe('180')
  await days.fill('7')
  await owner.getByRole('button', { name: 'Save' }).click()
  await owner.getByText('Enter 0, or 30 to 3650 days.').waitFor()
  await expectAccessible(owner)
  await days.fill('0')
  await owner.getByRole('button', { name: 'Save' }).click()
  await owner.waitForURL((url) => !url.pathname.endsWith('/edit'))
  expect(await sentence()).toBe('Forgetful Club gets these details, to run the event. Privacy policy')
  await owner.goto(`${served.url}/club/edit`)
  await owner.getByText('At present this club keeps personal data until somebody deletes them.').waitFor()

  await owner.goto(`${served.url}/event/${eventId}/edit`)
  await owner.getByLabel('Delete personal data so many days after the event').fill('60')
  await owner.getByRole('button', { name: 'Save' }).click()
  await owner.waitForURL((url) => !url.pathname.endsWith('/edit'))
  expect(await sentence()).toContain('and deletes them 60 days after it.')
  expect(wrong).toEqual([])
  await owner.context().close()
})
