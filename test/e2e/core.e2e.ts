import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Served, serve, until } from '../support/serve.ts'
import { enter, expectAccessible, launch, openPage, signInByForm, sizes, sudoEnv } from './browser.ts'

let served: Served
let browser: Browser

beforeAll(async () => {
  served = await serve({ port: 3981, env: { ...sudoEnv, LIMITS: 'off' } })
  browser = await launch()
})
afterAll(async () => {
  await browser.close()
  await served.stop()
})

interface Club {
  email: string
  password: string
  token: string
  user: { id: number; clubId: number }
}

async function post(path: string, body: unknown, token?: string) {
  const answer = await fetch(`${served.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: token }) },
    body: JSON.stringify(body),
  })
  const { payload } = await answer.json()
  return { payload, token: answer.headers.get('authorization') ?? '' }
}

/** A club with its admin, made over the API. */
async function addClub(name: string): Promise<Club> {
  const email = `${name.toLowerCase().replaceAll(' ', '.')}@example.org`
  const password = 'wind and tide 7'
  const fields = { fullName: `${name} Admin`, email, password, clubName: name }
  const { payload, token } = await post('/api/user/register', fields)
  return { email, password, token, user: payload.currentUser }
}

async function addEvent({ token, user }: Club, name: string): Promise<number> {
  const day = 86_400_000
  const input = {
    clubId: user.clubId,
    name,
    startsAt: new Date(Date.now() + 10 * day).toISOString(),
    endsAt: new Date(Date.now() + 11 * day).toISOString(),
    timeZone: 'Europe/Berlin',
    status: 'published',
  }
  const { payload } = await post('/api/event/save', input, token)
  return payload.id
}

async function register(club: Club, eventId: number, name: string): Promise<void> {
  const registrationData = { name, email: `${name.replace(/\W/g, '')}@example.org`, phone: '+49301234567', others: [] }
  await post('/api/registration/initRegistration', {
    newRegistration: { eventId, clubId: club.user.clubId, registrationData },
    extrasIds: [],
  })
}

/** Opens a page signed in, without the form, which has its own tests. */
async function openSignedIn(page: Page, { token, user }: Club, path: string): Promise<void> {
  await page.goto(`${served.url}/not-found`)
  await page.evaluate(
    ([token, user]) => {
      localStorage.setItem('token', token)
      localStorage.setItem('currentUser', user)
    },
    [token, JSON.stringify(user)] as const,
  )
  await page.goto(`${served.url}${path}`)
}

const notice = (page: Page, kind: string, text: string) => page.locator(`.notice.${kind}`, { hasText: text })

test('unsaved work outlives the end of a session, in every tab, but not another person', async () => {
  const club = await addClub('Kept Work')
  const other = await addClub('Next Person')
  const eventId = await addEvent(club, 'Long description')
  const page = await openPage(browser)
  // With motion, because a dialog that fades out keeps the focus for a while.
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await openSignedIn(page, club, `/event/${eventId}/edit`)
  await page.getByRole('textbox', { name: 'Description (optional)' }).fill('An hour of writing')

  // Signed out in another tab.
  const tab = await page.context().newPage()
  await tab.goto(`${served.url}/signout`)
  await notice(tab, 'success', 'Signed out.').waitFor()
  await page.getByText('You are signed out. What you typed is still here.').waitFor()
  expect(await page.getByRole('textbox', { name: 'Description (optional)' }).inputValue()).toBe('An hour of writing')
  await page.getByRole('button', { name: 'Sign in again' }).click()
  const dialog = page.getByRole('dialog', { name: 'Sign in again' })
  expect(await dialog.getByLabel('E-mail').inputValue()).toBe(club.email)
  await dialog.getByLabel('Password', { exact: true }).fill('not this one 1')
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.getByText('Incorrect email or password!').waitFor()
  await notice(page, 'error', 'Incorrect email or password!').waitFor()
  await expectAccessible(page)
  // By Enter, so that the field has the focus when the dialog closes.
  await dialog.getByLabel('Password', { exact: true }).fill(club.password)
  await dialog.getByLabel('Password', { exact: true }).press('Enter')
  await page.getByText('You are signed out.').waitFor({ state: 'detached' })
  expect(await page.getByRole('textbox', { name: 'Description (optional)' }).inputValue()).toBe('An hour of writing')
  // Keyboard users continue where they were in the page, not at its top.
  await dialog.waitFor({ state: 'detached' })
  await page.waitForFunction(() => document.activeElement !== document.body)

  // Ended on the server: saving asks for a sign-in and then goes on by itself.
  const token = await page.evaluate(() => localStorage.getItem('token') ?? '')
  await post('/api/user/signout', {}, token)
  let saves = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/api/event/save')) saves++
  })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.getByLabel('Password', { exact: true }).fill(club.password)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${served.url}/event/${eventId}`)
  expect(saves).toBe(2)
  await page.goto(`${served.url}/event/${eventId}/edit`)
  expect(await page.getByRole('textbox', { name: 'Description (optional)' }).inputValue()).toBe('An hour of writing')

  // Somebody else signs in in another tab: nothing of this page must remain.
  await page.getByRole('textbox', { name: 'Description (optional)' }).fill('Only for Kept Work')
  await tab.goto(`${served.url}/signout`)
  await notice(tab, 'success', 'Signed out.').waitFor()
  await page.getByText('You are signed out. What you typed is still here.').waitFor()
  await signInByForm(tab, served, other)
  await page.waitForURL(/dashboard\/admin/)
  await page.getByRole('heading', { name: 'Next Person' }).waitFor()
  expect(await page.content()).not.toContain('Only for Kept Work')
  await page.goBack().catch(() => null)
  await page.getByText("Looks like you're lost!").waitFor()
  expect(await page.content()).not.toContain('Long description')
  await page.context().close()
})

test('every answer with a message shows a notification, by its status', async () => {
  const club = await addClub('Loud Club')
  const page = await openPage(browser)
  await page.goto(`${served.url}/signin`)
  await page.getByLabel('E-mail').fill(club.email)
  await page.getByLabel('Password', { exact: true }).fill('not this one 1')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await notice(page, 'error', 'Incorrect email or password!').waitFor()
  // The message also stays in the page.
  await page.locator('.problem', { hasText: 'Incorrect email or password!' }).waitFor()

  // An event that does not exist.
  await openSignedIn(page, club, '/event/999999/attendees')
  await page.waitForURL(/not-found\/404/)
  await notice(page, 'error', 'We could not find that.').waitFor()
  await page.getByRole('link', { name: 'To your dashboard' }).click()
  await page.getByRole('heading', { name: 'Loud Club' }).waitFor()

  // Answers of other servers on the way.
  const answers = [
    { status: 418, body: { msg: 'Short and stout' }, kind: 'error', words: 'Short and stout' },
    { status: 404, body: '<html>', kind: 'error', words: 'Request failed with status code 404' },
    { status: 502, body: '<html>', kind: 'info', words: 'Request failed with status code 502' },
    { status: 500, body: {}, kind: 'info', words: 'Request failed with status code 500' },
  ]
  for (const { status, body, kind, words } of answers) {
    await page.route('**/api/event/getAllEvents*', (route) =>
      route.fulfill({ status, body: typeof body === 'string' ? body : JSON.stringify(body) }),
    )
    await page.reload()
    await notice(page, kind, words).waitFor()
    expect(await notice(page, kind, words).count()).toBe(1)
    await page.unroute('**/api/event/getAllEvents*')
  }

  // An expired session.
  const told = page.getByText('Your session has ended. Please sign in again.').waitFor()
  await openSignedIn(page, { ...club, token: 'garbage' }, '/dashboard/admin')
  await page.waitForURL(/\/signin\?next=/)
  await told

  // A token alone is a session; an unknown role has no start page.
  await page.evaluate((token) => localStorage.setItem('token', token), club.token)
  await page.goto(`${served.url}/dashboard`)
  await page.getByRole('heading', { name: 'Loud Club' }).waitFor()
  await page.evaluate(() => localStorage.setItem('currentUser', JSON.stringify({ id: 1, role: 'treasurer' })))
  await page.route('**/api/user/getCurrentUser', (route) => route.abort())
  await page.goto(`${served.url}/dashboard`)
  await page.waitForURL(/not-found/)
  await page.goto(`${served.url}/signin`)
  await page.waitForURL(/signin$/)
  await notice(page, 'success', 'Signed out.').waitFor()
  await page.context().close()
})

test('an old browser with blocked storage shows an event and registers; an answer that is not ours is reported', async () => {
  const club = await addClub('Blocked Club')
  const eventId = await addEvent(club, 'Open to all')
  const page = await openPage(browser, sizes[0]?.viewport)
  await page.addInitScript(() => {
    Reflect.deleteProperty(AbortSignal, 'timeout')
    const blocked = {
      get: () => {
        throw new DOMException('blocked', 'SecurityError')
      },
    }
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB']) Object.defineProperty(window, name, blocked)
  })
  await page.goto(`${served.url}/club/${club.user.clubId}/event/${eventId}?apiQueryMsg=Hello`)
  await page.locator('.notice', { hasText: 'Hello' }).waitFor()
  expect(page.url()).not.toContain('apiQueryMsg')
  await page.getByLabel('Name').fill('Bea Blocked')
  await page.getByLabel('E-mail', { exact: true }).fill('bea@example.org')
  await page.getByLabel('Phone', { exact: true }).fill('+49301234567')

  // A network's sign-in page instead of our server's answer.
  await page.route('**/initRegistration', (route) => route.fulfill({ status: 200, body: '<html>Welcome</html>' }))
  await page.getByRole('button', { name: 'Register' }).click()
  await page.locator('[role=alert]', { hasText: 'No answer came' }).waitFor()
  await page.unroute('**/initRegistration')
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByRole('heading', { name: 'You are registered' }).waitFor()
  await page.context().close()
})

test('a chunk that fails to load is reported, and loaded again', async () => {
  const club = await addClub('Patchy Club')
  const eventId = await addEvent(club, 'On a train')
  const page = await openPage(browser)
  await page.route('**/assets/StaticPage-*', (route) => route.abort())
  await page.goto(`${served.url}/page/terms?apiQueryMsg=Hello`)
  await page.getByRole('heading', { name: 'That did not work' }).waitFor()
  await page.unroute('**/assets/StaticPage-*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Terms of use' }).waitFor()

  // If the phone number library is missing, the form must keep its input.
  await page.goto(`${served.url}/club/${club.user.clubId}/event/${eventId}`)
  await page.route('**/assets/phone-tools-*', (route) => route.fulfill({ status: 404 }))
  await page.getByLabel('Name').fill('Tom Train')
  await page.getByLabel('Phone', { exact: true }).fill('+49301234567')
  await page.getByLabel('E-mail', { exact: true }).fill('tom@example.org')
  expect(await page.getByLabel('Name').inputValue()).toBe('Tom Train')
  await page.context().close()
})

test('a chunk removed by an upgrade reloads the page, once', async () => {
  const page = await openPage(browser)
  let loads = 0
  page.on('load', () => {
    loads += 1
  })
  let asked = 0
  await page.route('**/assets/SignUpPage-*.js', (route) => {
    asked += 1
    return route.fulfill({ status: 404 })
  })
  await page.goto(`${served.url}/register`)
  await until(async () => asked >= 2 && loads === 2, 30_000, 'it was loaded anew')
  // Used once more, it asks again, and is not loaded anew for that: what was typed stays.
  await page.getByLabel('Name of the club').fill('Rowing Club')
  await until(async () => asked >= 3, 30_000, 'it was asked for again')
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByText('This page has not loaded completely.').waitFor()
  expect(await page.getByLabel('Name of the club').inputValue()).toBe('Rowing Club')
  expect(loads).toBe(2)
  await page.context().close()
})

test('notices are over the attendee’s panel and out of the way of its buttons; Back scrolls to where one was', async () => {
  const club = await addClub('Panel Club')
  const eventId = await addEvent(club, 'Many names')
  for (let n = 0; n < 40; n++) await register(club, eventId, `Guest ${String(n).padStart(2, '0')}`)
  const page = await openPage(browser, sizes[0]?.viewport)
  await openSignedIn(page, club, `/event/${eventId}/attendees`)
  await page.getByRole('button', { name: 'Guest 39' }).click()
  await page.getByRole('button', { name: /^Send the ticket/ }).click()
  const told = notice(page, 'success', 'Ticket sent to email!')
  // It stays while it is hovered.
  await told.hover()
  await expectAccessible(page)
  await told.getByRole('button', { name: 'Close' }).click()
  await told.waitFor({ state: 'detached' })
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  // A row and not a number of pixels, since rows change their height as their mails are sent.
  const rowInView = () =>
    page.evaluate(() => {
      const middle = document.elementFromPoint(window.innerWidth / 2, window.innerHeight / 2)
      return Number(middle?.closest('[data-index]')?.getAttribute('data-index') ?? 0)
    })
  await page.evaluate(() => window.scrollTo(0, 1200))
  await until(async () => (await rowInView()) > 4, 30_000, 'the list is scrolled')
  const row = await rowInView()
  await page.getByRole('link', { name: 'Overview' }).click()
  await page.getByRole('heading', { name: 'Many names' }).waitFor()
  expect(await page.getByRole('link', { name: 'Overview' }).getAttribute('aria-current')).toBe('page')
  await page.goBack()
  await until(async () => Math.abs((await rowInView()) - row) <= 1, 30_000, 'the list is where it was')
  await page.context().close()
})

test('a form is inert while it saves, keeps the focus, and does not navigate after the user has left', async () => {
  const club = await addClub('Slow Club')
  const eventId = await addEvent(club, 'Slow event')
  const page = await openPage(browser)
  /** Holds back matching calls until they are released, which may be before or after they are made. */
  const slow = async (pattern: string) => {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(pattern, async (route) => {
      await released
      await route.continue()
    })
    return release
  }
  const releaseForm = await slow('**/api/form/save')
  await openSignedIn(page, club, `/event/${eventId}/form`)
  await page.getByRole('button', { name: 'Add a question' }).click()
  await page.getByLabel('Question', { exact: true }).fill('What do you eat?')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await until(async () => page.getByLabel('Question', { exact: true }).isDisabled(), 30_000, 'the form rests')
  releaseForm()
  await page.getByText('Saved.').first().waitFor()
  await until(async () => page.getByLabel('Question', { exact: true }).isEnabled(), 30_000, 'the form is back')
  await until(
    async () => (await page.evaluate(() => document.activeElement?.textContent)) === 'Save',
    30_000,
    'the focus is where it was',
  )
  await page.getByRole('button', { name: /^Remove question/ }).click()
  await until(
    async () => (await page.evaluate(() => document.activeElement?.textContent)) === 'Add a question',
    30_000,
    'the focus has a place',
  )

  const releaseEvent = await slow('**/api/event/save')
  await page.goto(`${served.url}/event/${eventId}/edit`)
  await page.getByLabel('Place (optional)').fill('Somewhere')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByLabel(/^Account:/).click()
  await page.getByRole('link', { name: 'Profile' }).click()
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  await page.getByRole('heading', { name: 'Your profile' }).waitFor()
  releaseEvent()
  await page.getByText('Saved.').first().waitFor()
  expect(page.url()).toContain('/profile')
  await page.context().close()
})

test('every address leads where it should', async () => {
  const page = await openPage(browser)
  const leads = async (from: string, to: RegExp) => {
    await page.goto(served.url + from)
    await page.waitForURL(to)
    await page.getByRole('heading').first().waitFor()
  }
  for (const path of ['/dashboard', '/dashboard/admin', '/event/1/attendees', '/profile', '/club/edit'])
    await leads(path, new RegExp(`/signin\\?next=${encodeURIComponent(path)}$`))
  for (const path of ['/nowhere/at/all', '/page/imprint', '/club/999999/event']) {
    await leads(path, new RegExp(`${path}$`))
    await page.getByRole('heading', { name: '404' }).waitFor()
  }
  await leads('/not-found/403/No%20entry', /403/)
  await page.getByText('No entry').waitFor()
  await enter(page, served.url, 'register', {
    fullName: 'Gus Guard',
    email: 'guard@example.org',
    password: 'wind and tide 7',
  })
  for (const path of ['/signin', '/register', '/dashboard', '/dashboard/sudo', '/club/add', '/club/1/credential'])
    await leads(path, /\/dashboard\/admin$/)
  await leads('/event/999999/attendees', /\/not-found\/404$/)

  await page.goto(`${served.url}/?apiQueryMsg=${encodeURIComponent('<b>Hello</b> there')}`)
  await page.getByText('<b>Hello</b> there').waitFor()
  expect(page.url()).toBe(`${served.url}/`)
  await page.context().close()
})
