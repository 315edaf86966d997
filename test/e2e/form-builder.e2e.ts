import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Served, serve, until } from '../support/serve.ts'
import { closePages, expectAccessible, launch, listenForErrors, openPage } from './browser.ts'
import { openClub, post, regatta } from './club.ts'

const PHONE = { width: 390, height: 844 }
const PATIENCE = 30_000
let served: Served
let browser: Browser

beforeAll(async () => {
  served = await serve({ port: 3941, env: { LIMITS: 'off' } })
  browser = await launch()
}, 180_000)
// A page that stays open would continue to send requests.
afterEach(({ task }) => closePages(browser, task))
afterAll(async () => {
  await browser.close()
  await served.stop()
})

/** The form builder of a new club's event, with these questions. */
async function openBuilder(name: string, formQuestions: object[] = []) {
  const page = await openClub(browser, served, name)
  const event = await post(page, 'event/save', regatta)
  if (formQuestions.length > 0) await post(page, 'form/save', { payload: { eventId: event.id, formQuestions } })
  await page.goto(`${served.url}/event/${event.id}/form`)
  await page.getByRole('heading', { name: 'Registration form' }).waitFor()
  return { page, event }
}

const question = (page: Page, number: number) => page.getByRole('region', { name: `Question ${number}`, exact: true })
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
/** Case matters: “unsaved” is not “Saved”. */
const says = (page: Page, text: string) =>
  page
    .getByRole('status')
    .filter({ hasText: new RegExp(text) })
    .waitFor()

/** The name of the field or button with the focus. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: element } = document
    const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : element?.textContent
    return element?.getAttribute('aria-label') ?? label
  })
const untilFocused = (page: Page, name: string) =>
  until(async () => (await focused(page)) === name, PATIENCE, `the focus is on “${name}”`)

test('a form is built by keyboard alone; every edit can be undone and redone, across a save too', async () => {
  const { page } = await openBuilder('Keyboard Club')
  const wrong = listenForErrors(page)
  await says(page, 'No changes')
  await expectAccessible(page)
  await press(page, 'Save')
  await says(page, 'There is nothing to save.')
  await page.getByRole('button', { name: 'Add a question' }).focus()
  await page.keyboard.press('Enter')
  await untilFocused(page, 'Question')
  await page.keyboard.type('Meal')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Multiple')
  await page.keyboard.press('Tab')
  await untilFocused(page, 'Option 1')
  await page.keyboard.type('Fish')
  await page.keyboard.press('Enter')
  await untilFocused(page, 'Option 2')
  await page.keyboard.type('Beans')
  await page.keyboard.press('Enter')
  await untilFocused(page, 'Option 3')
  await page.keyboard.type('Cake')
  await expectAccessible(page)
  const preview = page.getByRole('region', { name: 'As visitors see it' })
  await preview.getByRole('radio', { name: 'Cake' }).waitFor()

  // The last option's text, the option itself, and both again.
  await page.keyboard.press('Control+z')
  await says(page, 'Undone: question 1 changed.')
  await preview.getByRole('radio', { name: 'Cake' }).waitFor({ state: 'detached' })
  await page.keyboard.press('Control+z')
  await page.getByLabel('Option 3', { exact: true }).waitFor({ state: 'detached' })
  await page.keyboard.press('Control+Shift+z')
  await page.keyboard.press('Control+Shift+z')
  await preview.getByRole('radio', { name: 'Cake' }).waitFor()

  const line = question(page, 1).getByRole('heading').getByRole('button')
  await line.focus()
  await page.keyboard.press('Enter')
  expect(await line.getAttribute('aria-expanded')).toBe('false')
  expect(await line.textContent()).toBe('1MealMultiple choiceOptional')
  await page.getByLabel('Question', { exact: true }).waitFor({ state: 'detached' })
  await expectAccessible(page)

  await press(page, 'Save')
  await says(page, 'Saved')
  await press(page, 'Remove question 1')
  await says(page, '1 unsaved change')
  await says(page, 'Question 1 removed.')
  await untilFocused(page, 'Add a question')
  await press(page, 'Save')
  await until(async () => (await page.getByText('Saved', { exact: true }).count()) > 0, PATIENCE, 'it is saved')

  // What was removed and saved comes back as a new question.
  await press(page, 'Undo')
  await question(page, 1).getByLabel('Option 2', { exact: true }).waitFor()
  await press(page, 'Save')
  await says(page, 'Saved')
  await page.reload()
  await question(page, 1).getByRole('button', { name: 'Meal' }).click()
  expect(await page.getByLabel('Option 3', { exact: true }).inputValue()).toBe('Cake')
  expect(wrong).toEqual([])
})

test('after a save, an undo back to the start is a change that can be saved', async () => {
  const meal = { typeId: 0, text: 'Meal', required: true, options: [] }
  const { page } = await openBuilder('Version Club', [meal])
  await question(page, 1).getByRole('button', { name: 'Meal' }).click()
  await page.getByLabel('Question', { exact: true }).fill('Dinner')
  await press(page, 'Save')
  await says(page, 'Saved')
  await press(page, 'Undo')
  await says(page, '1 unsaved change')
  await press(page, 'Save')
  await says(page, 'Saved')
  await page.reload()
  await question(page, 1).getByRole('button', { name: 'Meal' }).waitFor()
  await question(page, 1).getByRole('button', { name: 'Meal' }).click()
  await page.getByLabel('Question', { exact: true }).fill('Supper')
  await says(page, '1 unsaved change')
  await press(page, 'Undo')
  await says(page, 'No changes')
  // Nothing is unsaved, so leaving does not ask.
  await page.getByRole('link', { name: 'Regatta' }).click()
  await page.getByRole('heading', { name: 'Regatta', level: 1 }).waitFor()
})

test('each problem is counted once and its link opens the question at the field; what is solved disappears', async () => {
  const { page } = await openBuilder('Problem Club')
  for (const type of ['Dropdown', 'Short answer']) {
    await page.getByRole('button', { name: 'Add a question' }).click()
    await page.getByLabel('Type').selectOption(type)
  }
  await press(page, 'Save')
  const summary = page.getByRole('alert').filter({ hasText: 'Not saved' })
  await summary.getByText('4 fields need your attention').waitFor()
  await until(() => summary.evaluate((element) => element === document.activeElement), PATIENCE, 'it has the focus')
  expect(await summary.getByRole('link').count()).toBe(4)
  await says(page, 'Not saved: 4 problems')
  await expectAccessible(page)

  await question(page, 2).getByRole('button', { expanded: true }).click()
  await summary.getByRole('link', { name: /^Question 1, option 2/ }).click()
  await untilFocused(page, 'Option 2')
  await page.keyboard.type('Fish')
  await summary.getByText('3 fields need your attention').waitFor()
  await question(page, 2).getByText('1 problem').waitFor()
  await summary.getByRole('link', { name: /^Question 2/ }).click()
  await untilFocused(page, 'Question')
  await page.keyboard.type('Boat')
  await summary.getByRole('link', { name: /^Question 1, option 1/ }).click()
  await page.keyboard.type('Beans')
  await summary.getByRole('link', { name: /^Question 1:/ }).click()
  await page.keyboard.type('Meal')
  await summary.waitFor({ state: 'detached' })
  await says(page, '2 unsaved changes')
  await press(page, 'Save')
  await says(page, 'Saved')
})

test('on a phone the bar takes the place of the menu once something changed, and covers nothing that has the focus; the preview takes the place of the questions', async () => {
  const many = Array.from({ length: 8 }, (_, n) => ({ typeId: 0, text: `Question no. ${n}`, required: false }))
  const { page } = await openBuilder('Phone Club', many)
  await page.setViewportSize(PHONE)
  const bar = page.getByRole('region', { name: 'Save' })
  const menu = page.getByRole('navigation', { name: 'Event' })
  const add = page.getByRole('button', { name: 'Add a question' })
  const topOf = async (part: typeof bar) => (await part.boundingBox())?.y ?? Number.NaN
  await menu.waitFor()
  expect(await topOf(bar)).toBeGreaterThan(await topOf(add))
  await question(page, 1).getByRole('button', { expanded: false }).click()
  await question(page, 1).getByLabel('Question', { exact: true }).fill('Question no. 0 and more')
  await menu.waitFor({ state: 'hidden' })
  expect(await topOf(bar)).toBeLessThan(PHONE.height)

  await page.getByRole('heading', { name: 'Registration form' }).click()
  const seen = new Set<string>()
  const covered = () =>
    page.evaluate(() => {
      const { activeElement: element } = document
      if (!element?.closest('ol, #add-question')) return null
      const { left, right, top, bottom } = element.getBoundingClientRect()
      const onTop = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
      const isSeen = onTop !== null && (element.contains(onTop) || onTop.contains(element))
      return { name: element.getAttribute('aria-label') ?? element.textContent ?? '', isSeen }
    })
  for (let n = 0; n < 80 && !seen.has('Add a question'); n += 1) {
    await page.keyboard.press('Tab')
    const element = await covered()
    if (!element) continue
    seen.add(element.name)
    expect(element).toMatchObject({ isSeen: true })
  }
  expect([...seen]).toEqual(expect.arrayContaining(['Move question 8', 'Remove question 8', 'Add a question']))

  const preview = page.getByRole('region', { name: 'As visitors see it' })
  expect(await preview.isVisible()).toBe(false)
  await page.getByText('Preview', { exact: true }).click()
  await preview.getByLabel('Question no. 7 (optional)').waitFor()
  await preview.getByLabel('Country of the phone number').waitFor()
  await question(page, 1).waitFor({ state: 'hidden' })
  await preview.getByRole('button', { name: 'Register' }).click()
  await preview.getByText('Enter your name.').first().waitFor()
  await expectAccessible(page)
})

test('a phone number that is optional may be left out, with and without JavaScript; one not asked for is not there', async () => {
  const { page, event } = await openBuilder('Number Club')
  const ask = async (how: string) => {
    await page.getByText(how, { exact: true }).first().click()
    await press(page, 'Save')
    await says(page, 'Saved')
    await page.reload()
    expect(await page.getByRole('radio', { name: how }).isChecked()).toBe(true)
  }
  const address = `${served.url}/club/${event.clubId}/event/${event.id}`
  const register = async (visitor: Page, name: string) => {
    await visitor.goto(address)
    await visitor.getByLabel('Name').fill(name)
    await visitor.getByLabel('E-mail').first().fill(`${name}@example.org`)
    await visitor.getByRole('button', { name: 'Register' }).click()
  }
  const scriptless = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
  const visitor = await openPage(browser, PHONE)

  for (const each of [visitor, scriptless]) {
    await register(each, 'Nora')
    await each.getByText('Enter a phone number.').first().waitFor()
  }
  await ask('Optional')
  await register(visitor, 'Olga')
  await visitor.getByRole('heading', { name: 'You are registered' }).waitFor()
  await register(scriptless, 'Otto')
  await scriptless.getByRole('heading', { name: 'You are registered' }).waitFor()

  // This page still shows the field when the club stops asking, and the other none when it starts again.
  await visitor.goto(address)
  await visitor.getByLabel('Phone (optional)', { exact: true }).fill('+49 30 1234567')
  await ask('Not asked')
  await visitor.getByLabel('Name').fill('Pia')
  await visitor.getByLabel('E-mail').first().fill('pia@example.org')
  await visitor.getByRole('button', { name: 'Register' }).click()
  await visitor.getByRole('heading', { name: 'You are registered' }).waitFor()
  await scriptless.goto(address)
  expect(await scriptless.getByLabel(/^Phone/).count()).toBe(0)
  await register(scriptless, 'Pavel')
  await scriptless.getByRole('heading', { name: 'You are registered' }).waitFor()
  await visitor.goto(address)
  await visitor.getByLabel('Name').fill('Rita')
  await visitor.getByLabel('E-mail').first().fill('rita@example.org')
  await ask('Required')
  await visitor.getByRole('button', { name: 'Register' }).click()
  await visitor.getByLabel('Phone', { exact: true }).fill('+49 30 1234567')
  await visitor.getByRole('button', { name: 'Register' }).click()
  await visitor.getByRole('heading', { name: 'You are registered' }).waitFor()

  await page.goto(`${served.url}/event/${event.id}/attendees`)
  await page.getByRole('button', { name: 'Pia', exact: true }).click()
  await page.getByText('None', { exact: true }).waitFor()
})
