import { readFileSync } from 'node:fs'
import { readXlsx } from 'hucre/xlsx'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Served, serve, until } from '../support/serve.ts'
import {
  chooseAction,
  expectAccessible,
  launch,
  listenForErrors,
  openPage,
  openSection,
  SUDO,
  signIn,
  signInByForm,
  sizes,
  sudoEnv,
} from './browser.ts'
import { openClub } from './club.ts'
import { describeClub, picture } from './describe-club.ts'
import { mailsOf, subjectsOf } from './outbox.ts'

let served: Served
let browser: Browser

beforeAll(async () => {
  served = await serve({ port: 3912, env: sudoEnv })
  browser = await launch()
})
afterAll(async () => {
  await browser.close()
  await served.stop()
})

describe.each(sizes)('on a $device', ({ device, viewport }) => {
  test('a club signs up, builds its form, and works with its attendees', async () => {
    const page = await openPage(browser, viewport)
    const wrong = listenForErrors(page, /status of 422/)
    await signUp(page, `Sailing Club ${device}`, `sam.${device}@example.org`)
    await describeClub(page, served)
    await addEvent(page, `Regatta ${device}`)
    await buildForm(page)
    const address = await publish(page, `Regatta ${device}`)
    await registerWithAnswers(await browser.newContext({ viewport }).then((visitor) => visitor.newPage()), address)
    await workWithAttendees(page)
    await readStatistics(page)
    await cancelEvent(page, `Regatta ${device}`)
    expect(wrong).toEqual([])
    await page.context().close()
  })
})

async function signUp(page: Page, clubName: string, email: string): Promise<void> {
  await page.goto(served.url)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Sign up your club' }).first().click()
  await page.getByRole('heading', { name: 'Sign up your club' }).waitFor()
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByText('Password is required!').waitFor()
  await page.getByLabel('Name of the club').fill(clubName)
  await page.getByLabel('Your name').fill('Sam Sailor')
  await page.getByLabel('Your e-mail').fill(email)
  await page.getByLabel(/^Password/).fill('password1')
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByText('Too many people use this password.').first().waitFor()
  await expectAccessible(page)
  await page.getByLabel(/^Password/).fill('wind and tide 7')
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByRole('heading', { name: clubName }).waitFor()
  await page.getByRole('heading', { name: 'First steps' }).waitFor()
  await expectAccessible(page)
}

async function addEvent(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: 'Add an event' }).click()
  await page.getByRole('heading', { name: 'Add an event' }).waitFor()
  await page.getByLabel('Name').fill(name)
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose a banner' }).click()
  await (await chooser).setFiles(await picture(1600, 900))
  await page.getByRole('img', { name: 'The banner as it will be' }).waitFor()
  await page.getByRole('textbox', { name: 'Starts' }).fill('2030-06-21T19:00')
  await page.keyboard.press('Tab')
  await page.getByRole('textbox', { name: 'Ends' }).fill('2030-06-21T23:00')
  await page.getByLabel('Capacity').fill('50')
  await page.getByRole('button', { name: 'Save as draft' }).click()
  await page.getByRole('heading', { name, level: 1 }).waitFor()
}

async function buildForm(page: Page): Promise<void> {
  await openSection(page, 'Form')
  const add = async (n: number, text: string, type: string, options: string[] = []) => {
    await page.getByRole('button', { name: 'Add a question' }).click()
    const question = page.getByRole('region', { name: `Question ${n}` })
    await question.getByLabel('Question', { exact: true }).fill(text)
    await question.getByLabel('Type').selectOption(type)
    for (const [index, option] of options.entries())
      await question.getByLabel(`Option ${index + 1}`, { exact: true }).fill(option)
  }
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await add(1, 'Sail number', 'Short answer')
  await add(2, 'Anything else?', 'Paragraph')
  await add(3, 'Meal', 'Multiple choice', ['Fish', 'Beans'])
  await add(4, 'Days', 'Checkboxes', ['Friday', 'Saturday'])
  await add(5, 'Shirt', 'Dropdown', ['S', 'S'])
  await save.click()
  await page.getByText('This option is there already.').first().waitFor()
  await expectAccessible(page)
  await page.getByRole('link', { name: /^Question 5, option 2/ }).click()
  await page.getByRole('region', { name: 'Question 5' }).getByLabel('Option 2', { exact: true }).fill('M')
  const meal = page.getByRole('region', { name: 'Question 3' })
  await meal.getByRole('button', { expanded: false }).click()
  await meal.getByLabel('An answer is required').check()
  // By keyboard alone: the space bar picks up the handle and the arrows move it.
  await page.getByRole('button', { name: 'Move question 5', exact: true }).focus()
  await page.keyboard.press('Space')
  await page.getByText('Now at place 5 of 5.').waitFor()
  await page.keyboard.press('ArrowUp')
  await page.getByText('Now at place 4 of 5.').waitFor()
  await page.keyboard.press('Space')
  await page.getByText('Put at place 4 of 5.').waitFor()
  // On a phone the arrows are shown with the question's fields, and the preview in place of the questions.
  await page.getByRole('region', { name: 'Question 2' }).getByRole('button', { expanded: false }).click()
  await page.getByRole('button', { name: 'Move question 2 up' }).click()
  const toPreview = page.getByText('Preview', { exact: true })
  if (await toPreview.isVisible()) await toPreview.click()
  const preview = page.getByRole('region', { name: 'As visitors see it' })
  await preview.getByRole('radio', { name: 'Beans' }).check()
  // The message may still be there from what was saved before.
  const saved = page.waitForResponse((response) => response.url().endsWith('/api/form/save') && response.ok())
  await save.click()
  await saved
  await page.getByText('Saved.').waitFor()
  await page.reload()
  const lines = page.getByRole('region', { name: /^Question \d/ })
  await lines.nth(4).waitFor()
  const order = await lines.getByRole('heading').allTextContents()
  const texts = ['Anything else?', 'Sail number', 'Meal', 'Shirt', 'Days']
  expect(order).toEqual(texts.map((text) => expect.stringContaining(text)))
}

async function publish(page: Page, name: string): Promise<string> {
  await page.getByRole('link', { name: 'Dashboard' }).click()
  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, level: 3 }) })
  await card.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('heading', { name: 'Your event is live' }).waitFor()
  const address = (await page.getByRole('link', { name: 'View the page' }).getAttribute('href')) ?? ''
  // Until somebody has registered there is a step left; after publishing the steps can be hidden.
  await page.getByRole('link', { name: 'Dashboard' }).click()
  const steps = page.getByRole('region', { name: 'First steps' })
  await steps.waitFor()
  await steps.getByText('Done', { exact: true }).nth(2).waitFor()
  expect(await steps.getByText('Done', { exact: true }).count()).toBe(3)
  await steps.getByRole('button', { name: 'Hide' }).click()
  await steps.waitFor({ state: 'detached' })
  await page.waitForFunction(() => document.activeElement?.matches('main'))
  await page.reload()
  await page.getByRole('heading', { name: 'Events' }).waitFor()
  expect(await steps.count()).toBe(0)
  await page.goBack()
  await page.getByRole('heading', { name, level: 1 }).waitFor()
  return address
}

async function registerWithAnswers(page: Page, address: string): Promise<void> {
  const wrong = listenForErrors(page, /status of 422/)
  await page.goto(served.url + address)
  await page.getByLabel('Name').fill('Zoë Müller')
  await page.getByLabel('E-mail', { exact: true }).fill('zoe@example.org')
  await page.getByLabel('Country of the phone number').selectOption('GB')
  await page.getByLabel('Phone', { exact: true }).fill('020 7946 0958')
  await page.getByLabel('Sail number').fill('=1+1')
  await page.getByLabel('Shirt').selectOption('M')
  await page.getByLabel('Saturday').check()
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByRole('alert').getByText('Meal: Choose an option.').waitFor()
  await expectAccessible(page)
  // The input survives a reload.
  await page.reload()
  expect(await page.getByLabel('Name').inputValue()).toBe('Zoë Müller')
  expect(await page.getByLabel('Saturday').isChecked()).toBe(true)
  await page.getByLabel('Beans').check()
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByRole('heading', { name: 'You are registered' }).waitFor()
  expect(wrong).toEqual([])
  await page.context().close()
}

async function workWithAttendees(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await openSection(page, 'Attendees')
  await page.getByRole('button', { name: 'Add somebody' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Walk-in Wanda')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await dialog.getByText('Choose an option.').waitFor()
  await dialog.getByLabel('Fish').check()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('2 attendees').waitFor()
  await expectAccessible(page)

  await page.getByLabel('Search').fill('zoe mull')
  await page.getByText('1 attendee found').waitFor()
  expect(page.url()).toContain('q=zoe+mull')
  await page.getByRole('button', { name: 'Zoë Müller', exact: true }).click()
  const panel = page.getByRole('dialog')
  await panel.getByText('+44 20 7946 0958').waitFor()
  await panel.getByText('Saturday').waitFor()
  await panel.getByRole('button', { name: 'Check in', exact: true }).click()
  await panel.getByText('Checked in by Sam Sailor').waitFor()
  await panel.getByRole('button', { name: 'Undo the check-in' }).click()
  await panel
    .getByText(/Check-in undone/)
    .first()
    .waitFor()
  await panel.getByRole('button', { name: /^Send the ticket/ }).click()
  await page.getByText('Ticket sent to email!').waitFor()
  await chooseAction(page, 'Edit details')
  const correct = page.getByRole('dialog', { name: 'Edit details' })
  await correct.getByLabel('Name').fill('Zoë Miller')
  await correct.getByRole('button', { name: 'Save', exact: true }).click()
  await panel.getByText('Corrected: name').waitFor()
  await expectAccessible(page)
  await panel.getByRole('button', { name: 'Close' }).click()

  await page.getByLabel('Search').fill('')
  await page.getByText('2 attendees').waitFor()
  await page.getByLabel('Choose all 2 loaded').check()
  await page.getByRole('region', { name: 'With those chosen' }).getByRole('button', { name: 'Check in' }).click()
  await page.getByText('2 checked in.').waitFor()
  await page.getByRole('link', { name: /^Not in yet/ }).click()
  await page.getByText('Nobody matches.').waitFor()
  await page.getByRole('button', { name: 'Show everybody' }).click()

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^Attendee-report-event-\d+-\d{8}T\d{6}\.xlsx$/)
  const rows = (await readXlsx(readFileSync(await file.path()))).sheets[0]?.rows ?? []
  expect(rows.map((row) => row[1])).toEqual(['Name', 'Zoë Miller', 'Walk-in Wanda'])
  expect(rows[1]).toContain('=1+1')
}

async function readStatistics(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Statistics' }).click()
  // The overview has read them before; those are shown until the current ones are there.
  await page.getByText('2 of 50 places taken').waitFor()
  await page.getByText('2 of 2 arrived (100%)').waitFor()
  await page.getByText('Show as table').first().click()
  await page.getByRole('cell', { name: '2', exact: true }).first().waitFor()
  await expectAccessible(page)
}

async function cancelEvent(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await page.getByRole('button', { name: `More for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Cancel the event' }).click()
  const dialog = page.getByRole('dialog')
  const confirm = dialog.getByRole('button', { name: 'Cancel the event' })
  expect(await confirm.isDisabled()).toBe(true)
  await expectAccessible(page)
  await dialog.getByLabel(/to confirm/).fill(name)
  await confirm.click()
  await page.getByText('Cancelled', { exact: true }).waitFor()
  await until(
    async () => (await subjectsOf(served)).includes(`Cancelled: ${name}`),
    30_000,
    'the news of the cancelled event is written',
  )
}

test('a forgotten password is replaced by the link in the mail', async () => {
  const page = await openClub(browser, served, 'Forgetful Club')
  const email = 'forgetful@example.org'
  await page.goto(`${served.url}/signout`)
  await page.waitForURL(/signin/)
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor()
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByText('a link is on its way').waitFor()
  await expectAccessible(page)
  await until(
    async () => (await subjectsOf(served)).includes('Your new password'),
    30_000,
    'the mail with the link is written',
  )
  const text = (await mailsOf(served)).find(({ subject }) => subject === 'Your new password')?.text ?? ''
  await page.goto(/http\S+#\S+/.exec(text)?.[0] ?? '')
  await page.getByLabel('New password').fill('a better one 8')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Set the password' }).click()
  await page.waitForURL(/signin/)
  await signInByForm(page, served, { email, password: 'a better one 8' })
  await page.context().close()
})

test('the operator looks after clubs, credentials and pages', async () => {
  const page = await openPage(browser)
  const wrong = listenForErrors(page, /status of 409/)
  await signIn(page, served, SUDO)
  await page.getByRole('link', { name: 'Add a club' }).click()
  await page.getByLabel('Name').fill('Short-lived Club')
  await page.getByRole('button', { name: 'Add the club' }).click()
  await page.getByLabel('Search clubs').fill('short lived')
  const card = page.getByRole('listitem').filter({ hasText: 'Short-lived Club' })
  await card.getByRole('link', { name: 'Team' }).click()
  await page.getByLabel('Name').fill('Ann')
  await page.getByLabel('E-mail').fill('ann@example.org')
  await page.getByRole('button', { name: 'Add the owner' }).click()
  const share = await page.getByRole('link', { name: 'Send the link by WhatsApp' }).getAttribute('href')
  expect(share).toContain('https://api.whatsapp.com/send?text=')
  await page.getByRole('button', { name: 'More for Ann' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Anna')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  const removeAnna = async () => {
    await page.getByRole('button', { name: 'More for Anna' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  }
  await removeAnna()
  await page.getByText('A club needs an owner.').waitFor()
  await page.getByLabel('Name').fill('Ben')
  await page.getByLabel('E-mail').fill('ben@example.org')
  await page.getByRole('button', { name: 'Add the owner' }).click()
  await page.getByRole('button', { name: 'More for Ben' }).waitFor()
  await removeAnna()
  await page.getByRole('button', { name: 'More for Anna' }).waitFor({ state: 'hidden' })

  await page.getByRole('link', { name: 'Dashboard' }).click()
  await page.getByRole('button', { name: 'More for Short-lived Club' }).click()
  await page.getByRole('menuitem', { name: 'Remove the club' }).click()
  await page
    .getByRole('dialog')
    .getByLabel(/to confirm/)
    .fill('Short-lived Club')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove the club' }).click()
  await page.getByRole('heading', { name: 'Short-lived Club', exact: true }).waitFor({ state: 'detached' })

  await page.getByRole('link', { name: 'Cookie policy' }).first().click()
  await page.getByLabel('Text').fill('## Biscuits\n\nOnly one.')
  // The notice of an earlier change may still be shown.
  await Promise.all([page.waitForResponse('**/api/page/save'), page.getByRole('button', { name: 'Save' }).click()])
  await page.goto(`${served.url}/page/cookie-policy`)
  await page.getByRole('heading', { name: 'Biscuits' }).waitFor()
  await expectAccessible(page)
  expect(wrong).toEqual([])
  await page.context().close()
})

test('users change their own photo, name and password', async () => {
  const page = await openClub(browser, served, 'Profile Club')
  const email = 'profile@example.org'
  await page.getByLabel('Account: Sam Sailor').click()
  await page.getByRole('link', { name: 'Profile' }).click()
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose a photo' }).click()
  await (await chooser).setFiles(await picture(400, 400))
  await page.getByLabel('Name').fill('Pia Photo')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByLabel('Account: Pia Photo').waitFor()
  expect(await page.getByLabel('Account: Pia Photo').locator('img').getAttribute('src')).toMatch(
    /^\/api\/user\/[0-9a-f]{32}\.jpg$/,
  )
  await page.getByLabel('Current password').fill('not this one 1')
  await page.getByLabel('New password').fill('a better one 8')
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByText('This is not your current password.').first().waitFor()
  await expectAccessible(page)
  await page.getByLabel('Current password').fill('wind and tide 7')
  // “Saved.” may still be shown from an earlier change.
  const changed = page.waitForResponse((response) => response.url().endsWith('/api/appUser/save') && response.ok())
  await page.getByRole('button', { name: 'Change the password' }).click()
  await changed
  await page.goto(`${served.url}/signout`)
  await page.waitForURL(/signin/)
  await signIn(page, served, { email, password: 'a better one 8' })
  await page.context().close()
})
