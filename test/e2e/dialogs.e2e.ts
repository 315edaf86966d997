import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Served, serve, until } from '../support/serve.ts'
import { expectAccessible, launch, openPage, openSection, SUDO, signIn, sudoEnv } from './browser.ts'
import { add, openClub, post, regatta } from './club.ts'

let served: Served
let browser: Browser

beforeAll(async () => {
  served = await serve({ port: 3956, env: sudoEnv })
  browser = await launch()
})
afterAll(async () => {
  await browser.close()
  await served.stop()
})

/** A club with an event, at its list of attendees. */
async function openList(name: string, guests: string[] = []): Promise<{ page: Page; eventId: number }> {
  const page = await openClub(browser, served, name)
  const { id: eventId } = await post(page, 'event/save', regatta)
  for (const guest of guests) await add(page, eventId, guest)
  await page.goto(`${served.url}/event/${eventId}/attendees`)
  await page.getByRole('button', { name: 'Add somebody' }).waitFor()
  return { page, eventId }
}

/** A promise that holds back an answer, and the function that resolves it. */
function hold() {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  return { release: () => release(), released }
}

const addDialog = (page: Page) => page.getByRole('dialog', { name: 'Add somebody' })

test('what is typed in a dialog outlives a session that ends, and Back asks first', async () => {
  const { page } = await openList('Held')
  await page.getByRole('link', { name: 'Statistics' }).click()
  // The list also has a link of that name, which leads elsewhere.
  await page.getByRole('heading', { name: 'Statistics' }).waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Regatta' }).click()
  await openSection(page, 'Attendees')
  await page.getByRole('button', { name: 'Add somebody' }).click()
  const dialog = addDialog(page)
  const name = dialog.getByLabel('Name')
  await name.fill('Ida')

  const leave = page.getByRole('dialog', { name: 'Leave without saving?' })
  await page.evaluate(() => window.history.back())
  await leave.waitFor()
  await page.keyboard.press('Escape')
  await leave.waitFor({ state: 'detached' })
  expect(await page.getByRole('dialog', { name: 'Close without saving?' }).count()).toBe(0)
  expect(await name.inputValue()).toBe('Ida')

  const other = await page.context().newPage()
  await other.goto(`${served.url}/signout`)
  await other.waitForURL(/signin|\/$/)
  await page.getByText('You are signed out. What you typed is still here.').waitFor()
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  const again = page.getByRole('dialog', { name: 'Sign in again' })
  await again.waitFor()

  // One Escape closes only the sign-in dialog.
  await page.keyboard.press('Escape')
  await again.waitFor({ state: 'detached' })
  expect(await page.getByRole('dialog', { name: 'Close without saving?' }).count()).toBe(0)
  expect(await name.inputValue()).toBe('Ida')

  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await again.getByLabel('Password', { exact: true }).fill('wind and tide 7')
  await expectAccessible(page)
  await again.getByRole('button', { name: 'Sign in' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Ida', exact: true }).waitFor()
  await page.context().close()
})

test('a dialog is inert while it saves: neither typing nor closing loses anything', async () => {
  const { page } = await openList('Resting')
  const { release, released } = hold()
  await page.route('**/api/registration/save', async (route) => {
    await released
    await route.continue()
  })
  await page.getByRole('button', { name: 'Add somebody' }).click()
  const dialog = addDialog(page)
  await dialog.getByLabel('Name').fill('Ida')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await until(() => dialog.getByLabel('Name').isDisabled(), 30_000, 'the fields rest')
  expect(await dialog.getByRole('button', { name: 'Close without saving' }).isDisabled()).toBe(true)
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Close', exact: true }).click()
  expect(await page.getByRole('dialog').count()).toBe(1)
  release()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Ida', exact: true }).waitFor()
  await page.context().close()
})

test('an addition whose answer was lost is not repeated, and is shown as it was saved', async () => {
  const { page } = await openList('Lost answers')
  const sent: { idempotencyKey: string; registrationData: { name: string } }[] = []
  let first: { status: number; body: string } | null = null
  // Simulates the server's rule for idempotency keys, so that only the page is tested.
  const answer = async (route: Route) => {
    const { payload } = route.request().postDataJSON()
    sent.push(payload)
    if (first === null) {
      const answered = await route.fetch()
      first = { status: answered.status(), body: await answered.text() }
      return route.abort()
    }
    if (payload.registrationData.name === sent[0]?.registrationData.name)
      return route.fulfill({ ...first, contentType: 'application/json' })
    return route.fulfill({ status: 422, json: { code: 'IDEMPOTENCY_MISMATCH', msg: 'This key was used.' } })
  }
  await page.route('**/api/registration/save', answer)
  await page.getByRole('button', { name: 'Add somebody' }).click()
  const dialog = addDialog(page)
  const save = dialog.getByRole('button', { name: 'Add', exact: true })
  await dialog.getByLabel('Name').fill('Ida')
  await save.click()
  await dialog.getByRole('alert').getByText('No answer came').waitFor()
  await dialog.getByLabel('Name').fill('Ida Sailor')
  await save.click()
  await page.getByText('Your first try had arrived: Ida is in the list as filled in then.').waitFor()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Ida', exact: true }).waitFor()
  await page.getByText('1 attendee', { exact: true }).waitFor()
  expect(await page.getByText('This key was used.').count()).toBe(0)
  expect(new Set(sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1)
  expect(sent[0]?.idempotencyKey).toMatch(/./)

  // The next person gets a new key.
  await page.unroute('**/api/registration/save')
  const request = page.waitForRequest('**/api/registration/save')
  await page.getByRole('button', { name: 'Add somebody' }).click()
  await dialog.getByLabel('Name').fill('Otto')
  await save.click()
  expect((await request).postDataJSON().payload.idempotencyKey).not.toBe(sent[0]?.idempotencyKey)
  await page.getByText('2 attendees', { exact: true }).waitFor()
  await page.context().close()
})

test('when the next page of a list fails, the rows loaded stay and it is requested once', async () => {
  const { page } = await openList('Rest of the list')
  const eventId = Number(/event\/(\d+)/.exec(page.url())?.[1])
  const names = Array.from({ length: 120 }, (_, n) => `Guest ${n + 1}`)
  for (let from = 0; from < names.length; from += 40)
    await Promise.all(names.slice(from, from + 40).map((name) => add(page, eventId, name)))
  await page.reload()
  await page.getByText('120 attendees').waitFor()
  const row = (index: number) => page.locator(`[data-index="${index}"]`)
  let asked = 0
  const fail = async (route: Route) => {
    asked++
    await route.fulfill({ status: 409, json: { code: 'INVALID_INPUT', msg: 'Not now.' } })
  }
  await page.route('**/api/registration/getAttendees*cursor=*', fail)
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  const problem = page.getByRole('alert').filter({ hasText: 'The rest of the list could not be loaded.' })
  await problem.waitFor()
  await expectAccessible(page)
  // The list is still there and can be scrolled; an automatic retry would have happened by now.
  await page.evaluate(() => window.scrollTo(0, 0))
  await row(0).waitFor()
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  await row(99).waitFor()
  expect(asked).toBe(1)
  await page.unroute('**/api/registration/getAttendees*cursor=*')
  await problem.getByRole('button', { name: 'Try again' }).click()
  await problem.waitFor({ state: 'detached' })
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  await row(119).waitFor()
  await page.context().close()
})

test('a dialog that closes gives the focus back to what opened it', async () => {
  const { page } = await openList('Focus', ['Ada', 'Ben'])
  const expectFocus = (name: string) =>
    until(
      () => page.getByRole('button', { name, exact: true }).evaluate((button) => button === document.activeElement),
      30_000,
      `${name} has the focus`,
    )
  const openByKey = async (name: string, title: string | RegExp) => {
    await page.getByRole('button', { name, exact: true }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: title })
    await dialog.waitFor()
    // Escape works as soon as the dialog has the focus.
    await until(() => dialog.evaluate((box) => box.contains(document.activeElement)), 30_000, `${title} has it`)
    return dialog
  }
  const adding = await openByKey('Add somebody', 'Add somebody')
  await page.keyboard.press('Escape')
  await adding.waitFor({ state: 'detached' })
  await expectFocus('Add somebody')

  const panel = await openByKey('Ada', /^#/)
  await page.getByRole('button', { name: 'Edit details' }).waitFor()
  const correct = await openByKey('Edit details', 'Edit details')
  await page.keyboard.press('Escape')
  await correct.waitFor({ state: 'detached' })
  await expectFocus('Edit details')
  await page.getByRole('button', { name: 'Previous attendee' }).click()
  await page.getByRole('heading', { name: 'Ben' }).waitFor()
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  await expectFocus('Ben')
  await page.context().close()
})

test('a download that needs a sign-in asks for it over the page, and then completes', async () => {
  const { page } = await openList('Export', ['Ada'])
  await page.evaluate(() => localStorage.setItem('token', 'one that has run out'))
  const asked = page.waitForRequest('**/api/registration/downloadAttendees*')
  await page.getByRole('button', { name: 'Export' }).click()
  await asked
  const again = page.getByRole('dialog', { name: 'Sign in again' })
  await again.getByLabel('Password', { exact: true }).fill('wind and tide 7')
  const download = page.waitForEvent('download')
  await again.getByRole('button', { name: 'Sign in' }).click()
  expect((await download).suggestedFilename()).toMatch(/\.xlsx$/)
  await page.context().close()
})

test('polling reports a failure once, and stops when the event is gone', async () => {
  const { page, eventId } = await openList('Polls', ['Ida'])
  await page.clock.install()
  await page.goto(`${served.url}/event/${eventId}/statistics`)
  await page.getByRole('heading', { name: 'Registrations', exact: true }).waitFor()
  let asked = 0
  const answerWith = async (status: number, code: string) => {
    await page.unroute('**/api/checkin/getStatistics*')
    await page.route('**/api/checkin/getStatistics*', async (route) => {
      asked++
      await route.fulfill({ status, json: { code, msg: `Not now: ${code}.` } })
    })
  }
  /** Advances the page's clock until it has sent this many requests. */
  const untilAsked = (count: number) =>
    until(
      async () => {
        if (asked < count) await page.clock.runFor(2_000)
        return asked >= count
      },
      30_000,
      `it has asked ${count} times`,
    )
  await answerWith(500, 'INTERNAL')
  await untilAsked(2)
  await page.getByRole('region', { name: 'Notifications' }).getByText('Not now: INTERNAL.').waitFor()
  await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Close' }).click()
  await untilAsked(8)
  expect(await page.getByText('Not now: INTERNAL.').count()).toBe(0)

  await answerWith(404, 'NOT_FOUND')
  const last = asked + 1
  await untilAsked(last)
  // The page still polls the event itself; it would have requested the counts again along with it.
  for (let times = 0; times < 3; times++) {
    const event = page.waitForResponse('**/api/event/getEvent*')
    await page.clock.runFor(6_000)
    await event
  }
  expect(asked).toBe(last)
  await page.context().close()
})

test('the original text of a page is restored only after a confirmation', async () => {
  const page = await openPage(browser)
  await signIn(page, served, SUDO)
  await page.goto(`${served.url}/page/terms/edit`)
  const text = page.getByLabel('Text')
  await text.fill('## Ours')
  await page.getByRole('button', { name: 'Save' }).click()
  const back = page.getByRole('button', { name: 'Restore the original text' })
  await back.waitFor()
  await text.fill('## Ours, unsaved')
  await back.click()
  const dialog = page.getByRole('dialog', { name: 'Restore the original text?' })
  await dialog.getByRole('button', { name: 'Keep it' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await text.inputValue()).toBe('## Ours, unsaved')
  const hasFocus = () => back.evaluate((button) => button === document.activeElement)
  await until(hasFocus, 30_000, 'the button has the focus again')
  await back.click()
  await dialog.getByRole('button', { name: 'Restore it' }).click()
  await dialog.waitFor({ state: 'detached' })
  await back.waitFor({ state: 'detached' })
  expect(await text.inputValue()).not.toContain('Ours')
  await page.context().close()
})

test('a day in the year 12026 leaves the statistics unchanged', async () => {
  const { page, eventId } = await openList('Far years', ['Ida'])
  await page.goto(`${served.url}/event/${eventId}/statistics`)
  await page.getByRole('heading', { name: /^Arrivals on/ }).waitFor()
  const day = page.getByRole('textbox', { name: 'Day' })
  await day.fill('21/06/12026')
  await day.blur()
  await page.getByText('Type a day as dd/mm/yyyy').waitFor()
  await day.fill('21/06/2026')
  await page.getByRole('heading', { name: 'Arrivals on 21/06/2026' }).waitFor()
  expect(page.url()).toContain('/statistics')
  await page.context().close()
})

test('the next person to sign in to a tab sees nothing of the previous club', async () => {
  const { page } = await openList('First club', ['Secret Sam'])
  await openClub(browser, served, 'Next club').then((next) => next.context().close())
  await page.getByRole('link', { name: 'Statistics' }).click()
  await page.getByRole('heading', { name: 'Statistics' }).waitFor()
  const other = await page.context().newPage()
  await other.goto(`${served.url}/signout`)
  await page.waitForURL(/signin/)
  // Signs in without `?next=`, which leads to the dashboard instead of the previous page.
  await page.getByRole('navigation').getByRole('link', { name: 'Sign in' }).click()
  await page.waitForURL(/signin$/)
  await page.getByLabel('E-mail').fill('Next@example.org')
  await page.getByLabel('Password', { exact: true }).fill('wind and tide 7')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(/dashboard/)
  const { release, released } = hold()
  await page.route('**/api/**', async (route) => {
    await released
    await route.continue()
  })
  const asked = page.waitForRequest(/\/api\/event\/getEvent/)
  await page.evaluate(() => window.history.go(-3))
  await asked
  expect(page.url()).toContain('/attendees')
  expect(await page.getByText('Secret Sam').count()).toBe(0)
  release()
  await page.context().close()
})

test('a new password keeps the name that was changed on another device', async () => {
  const page = await openClub(browser, served, 'Renamed')
  await page.goto(`${served.url}/profile`)
  await page.getByLabel('Current password').fill('wind and tide 7')
  const other = await openPage(browser)
  await signIn(other, served, { email: 'Renamed@example.org', password: 'wind and tide 7' })
  await other.goto(`${served.url}/profile`)
  await other.getByLabel('Name').fill('Sam the Second')
  await other.getByRole('button', { name: 'Save' }).click()
  await other.getByLabel('Account: Sam the Second').waitFor()
  await page.getByLabel('New password').fill('a better one 8')
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByText('Saved.').waitFor()
  const third = await openPage(browser)
  await signIn(third, served, { email: 'Renamed@example.org', password: 'a better one 8' })
  await third.getByLabel('Account: Sam the Second').waitFor()
  for (const each of [page, other, third]) await each.context().close()
})

test('editing what somebody else has just changed is refused, and what was typed stays', async () => {
  const first = await openClub(browser, served, 'Two Editors')
  // In its own profile, because two pages of one profile take turns rendering.
  const second = await openPage(browser)
  const { id } = await post(first, 'event/save', { ...regatta, name: 'Shared event', status: 'draft' })
  await first.goto(`${served.url}/event/${id}/edit`)
  await first.getByLabel('Place (optional)').fill('From the first')
  await signIn(second, served, { email: 'two@example.org', password: 'wind and tide 7' })
  await second.goto(first.url())
  await second.getByLabel('Place (optional)').fill('From the second')
  await second.getByRole('button', { name: 'Save as draft' }).click()
  await second.getByRole('heading', { name: 'Shared event' }).waitFor()
  await first.getByRole('button', { name: 'Save as draft' }).click()
  await first.getByText('Your changes are not saved').waitFor()
  expect(await first.getByLabel('Place (optional)').inputValue()).toBe('From the first')
  await expectAccessible(first)
  await first.getByRole('button', { name: 'Load the latest' }).click()
  await first.getByText('Your changes are not saved').waitFor({ state: 'detached' })
  expect(await first.getByLabel('Place (optional)').inputValue()).toBe('From the second')
  await first.context().close()
  await second.context().close()
})
