import type { Browser, CDPSession, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Event } from '../../src/contract/event.ts'
import { ticketTypeApi } from '../../src/contract/ticket-types.ts'
import { draftKeyOf } from '../../src/web/registrations/typed.ts'
import { addEventAt, addQuestionsAt, callAt, makeEventAt, OPERATOR, takenAt } from '../support/remote.ts'
import { type Served, serve, until } from '../support/serve.ts'
import { closePages, expectAccessible, isRunning, launch, listenForErrors, openPage } from './browser.ts'

const PHONE = { width: 390, height: 844 }
let served: Served
let browser: Browser
let token = ''

beforeAll(async () => {
  served = await serve({ port: 4051, env: { ...OPERATOR, LIMITS: 'off' } })
  token = (await makeEventAt(served.url)).token
  browser = await launch()
}, 180_000)
// A page that stays open would continue to send requests.
afterEach(({ task }) => closePages(browser, task))
afterAll(async () => {
  await browser.close()
  await served.stop()
})

type Fields = Parameters<typeof addEventAt>[3]
const addEvent = (name: string, fields?: Fields) => addEventAt(served.url, token, name, fields)
const addQuestions = (event: Event, questions: Parameters<typeof addQuestionsAt>[3]) =>
  addQuestionsAt(served.url, token, event, questions)

const addressOf = ({ clubId, id }: Event) => `${served.url}/club/${clubId}/event/${id}`
const taken = (event: Event) => takenAt(served.url, event)

/** Holds back the script that hydrates the page until it is released. */
async function holdScript(page: Page): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/assets/take-over-*.js', async (route) => {
    await released
    await route.continue()
  })
  return release
}

test('input and taps before hydration are not lost', async () => {
  const event = await addEvent('Slow script')
  const page = await openPage(browser, PHONE)
  const wrong = listenForErrors(page)
  const release = await holdScript(page)
  await page.goto(addressOf(event))
  await page.getByLabel('Name').fill('Eva Early')
  await page.getByLabel('E-mail', { exact: true }).fill('eva@example.org')
  await page.getByLabel('Phone', { exact: true }).fill('+49301234567')
  await page.getByRole('button', { name: 'Register' }).click()
  release()
  await page.getByRole('heading', { name: 'You are registered' }).waitFor()
  await page.getByText('eva@example.org').waitFor()
  expect(await taken(event)).toBe(1)
  expect(wrong).toEqual([])
})

/** Presses the mouse or a finger down. */
type Press = (session: CDPSession, at: { x: number; y: number }) => Promise<unknown>
const mouse =
  (type: 'mousePressed' | 'mouseReleased'): Press =>
  (session, at) =>
    session.send('Input.dispatchMouseEvent', { type, ...at, button: 'left', clickCount: 1 })
const byMouse = { by: 'mouse', down: mouse('mousePressed'), up: mouse('mouseReleased') }
const presses: { by: string; down: Press; up: Press }[] = [
  byMouse,
  {
    by: 'finger',
    down: (session, at) => session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] }),
    up: (session) => session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] }),
  },
]

/** A page whose button to register hydration moves down, because it then shows the question for the ticket that was chosen before. */
async function openMoving() {
  const event = await addEvent('Moved')
  const of = { eventId: event.id }
  const [first] = (await callAt(served.url, ticketTypeApi.getTicketTypes, of)).payload
  const payload = { ...of, ticketTypes: [{ id: first?.id, name: 'Adult' }, { name: 'Child' }] }
  const types = (await callAt(served.url, ticketTypeApi.saveTicketTypes, { payload }, token)).payload
  const child = types.filter(({ name }) => name === 'Child').map(({ id }) => id)
  await addQuestions(event, [
    { typeId: 0, text: 'How old is the child?', required: false, options: [], ticketTypeIds: child },
  ])
  const page = await openPage(browser, PHONE)
  const wrong = listenForErrors(page)
  const session = await page.context().newCDPSession(page)
  const release = await holdScript(page)
  await page.goto(addressOf(event))
  await page.getByRole('radio', { name: 'Child' }).check()
  await page.getByLabel('Name').fill('Mo Moved')
  await page.getByLabel('E-mail', { exact: true }).fill('mo@example.org')
  await page.getByLabel('Phone', { exact: true }).fill('+49301234567')
  const button = page.getByRole('button', { name: 'Register', exact: true })
  await button.scrollIntoViewIfNeeded()
  const place = await placeOf(button)
  const hydrate = async () => {
    release()
    await page.getByLabel('How old is the child?').waitFor()
    await isRunning(page)
    expect((await placeOf(button)).y - place.y).toBeGreaterThan(40)
  }
  return { event, page, session, place, hydrate, wrong }
}

async function placeOf(button: Locator): Promise<{ x: number; y: number }> {
  const box = await button.boundingBox()
  if (!box) throw new Error('The button is not shown')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

test.each(presses)('a press by $by on a button that hydration moves away is not lost', async ({ down, up }) => {
  const { event, page, session, place, hydrate, wrong } = await openMoving()
  await down(session, place)
  await hydrate()
  await up(session, place)
  await page.getByRole('heading', { name: 'You are registered' }).waitFor()
  expect(await taken(event)).toBe(1)
  expect(wrong).toEqual([])
})

test('a press that leaves its button is taken back, whether the button has moved or not', async () => {
  const { event, page, session, place, hydrate, wrong } = await openMoving()
  await byMouse.down(session, place)
  await hydrate()
  await byMouse.up(session, { x: place.x, y: place.y - 100 })
  const box = await page.getByRole('button', { name: 'Register', exact: true }).boundingBox()
  const bottom = (box?.y ?? 0) + (box?.height ?? 0)
  await byMouse.down(session, { x: place.x, y: bottom - 3 })
  await byMouse.up(session, { x: place.x, y: bottom + 3 })
  // The button would say that it is sent.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  expect(await page.getByRole('button', { name: 'Register', exact: true }).count()).toBe(1)
  expect(await taken(event)).toBe(0)
  expect(wrong).toEqual([])
})

test('hydration does not change the page: fields keep their values and the focus', async () => {
  const event = await addEvent('Taken over', { maxAttendees: 5 })
  const questions = [
    { typeId: 3, text: 'Days', required: false, options: ['Friday', 'Saturday'] },
    { typeId: 4, text: 'Meal', required: false, options: ['Meat', 'Vegan'] },
    { typeId: 1, text: 'Why?', required: false, options: [] },
  ]
  await addQuestions(event, questions)
  const page = await openPage(browser, PHONE)
  const wrong = listenForErrors(page)
  const release = await holdScript(page)
  await page.goto(addressOf(event))
  await page.getByLabel('Name').fill('Kim Kept')
  await page.getByLabel('Phone', { exact: true }).fill('030123')
  await page.getByLabel('Friday').check()
  await page.getByLabel('Why?').fill('Because')
  const before = await page.locator('main').innerText()
  await page.getByLabel('E-mail', { exact: true }).pressSequentially('kim@')
  release()
  // The visitor goes on typing during hydration.
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 10 })
  await page.getByLabel('Phone', { exact: true }).press('End')
  await page.keyboard.type('4567', { delay: 40 })
  await page.getByLabel('Why?').press('End')
  await page.keyboard.type(' I like it', { delay: 40 })
  await isRunning(page)
  await page.getByLabel('E-mail', { exact: true }).press('End')
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  await page.locator('[name=email]:focus').waitFor()
  await page.keyboard.type('example.org')
  expect(await page.getByLabel('E-mail', { exact: true }).inputValue()).toBe('kim@example.org')
  expect(await page.getByLabel('Name').inputValue()).toBe('Kim Kept')
  expect((await page.getByLabel('Phone', { exact: true }).inputValue()).replace(/\D/g, '')).toMatch(/(49|0)301234567$/)
  expect(await page.locator('input[type=hidden][name=phone]').inputValue()).toMatch(/301234567$/)
  expect(await page.getByLabel('Friday').isChecked()).toBe(true)
  expect(await page.getByLabel('Why?').inputValue()).toBe('Because I like it')
  // Only the text above the phone field, because its countries load as soon as the form is used.
  const upToPhone = (text: string) => text.slice(0, text.indexOf('Phone'))
  expect(upToPhone(await page.locator('main').innerText())).toBe(upToPhone(before))
  // From now on the input is the visitor's draft.
  await page.reload()
  await isRunning(page)
  expect(await page.getByLabel('Name').inputValue()).toBe('Kim Kept')
  expect(await page.getByLabel('Friday').isChecked()).toBe(true)
  await expectAccessible(page)
  expect(wrong).toEqual([])
})

test('input before hydration is there after a reload', async () => {
  const event = await addEvent('Reloaded early')
  const page = await openPage(browser, PHONE)
  const release = await holdScript(page)
  await page.goto(addressOf(event))
  await page.getByLabel('Name').fill('Rhea Reload')
  await page.getByLabel('Phone', { exact: true }).fill('030 1234567')
  await page.reload()
  expect(await page.getByLabel('Name').inputValue()).toBe('Rhea Reload')
  // Typing into another field after the reload must not drop the earlier ones from the draft.
  await page.getByLabel('E-mail', { exact: true }).fill('rhea@example.org')
  await page.reload()
  expect(await page.getByLabel('Name').inputValue()).toBe('Rhea Reload')
  release()
  await isRunning(page)
  const phone = page.getByLabel('Phone', { exact: true })
  await until(async () => (await phone.inputValue()) === '+49 30 1234567', 30_000, 'the number is written in full')
  expect(await page.getByLabel('E-mail', { exact: true }).inputValue()).toBe('rhea@example.org')
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByRole('heading', { name: 'You are registered' }).waitFor()
})

test('after hydration, input is stored before the browser can leave the page', async () => {
  const event = await addEvent('Left at once')
  const page = await openPage(browser, PHONE)
  await page.goto(addressOf(event))
  await page.getByLabel('Name').fill('Lea Leave')
  await isRunning(page)
  /** Types something, and returns what is stored by the end of that task: what the page leaves for later might not run any more. */
  const type = (label: string, text: string) =>
    page.getByLabel(label, { exact: true }).evaluate(
      async (field, { text, key }) => {
        field.focus()
        document.execCommand('insertText', false, text)
        await Promise.resolve()
        return sessionStorage.getItem(key)
      },
      { text, key: draftKeyOf(event.id) },
    )
  expect(await type('E-mail', 'lea@example.org')).toContain('lea@example.org')
  // The field that is sent is another one, which React writes.
  expect(await type('Phone', '+49 30 1234567')).toMatch(/"name":"phone","values":\["\+49 ?30 ?1234567"\]/)
})

test.each([
  ['Phone', 'input[name=phone]', '030 1234567'],
  ['Why? (optional)', 'textarea', 'Because'],
])('what is typed into %s at the moment of hydration is stored, and stays', async (label, selector, text) => {
  const event = await addEvent('Right now')
  await addQuestions(event, [{ typeId: 1, text: 'Why?', required: false, options: [] }])
  const page = await openPage(browser, PHONE)
  const wrong = listenForErrors(page)
  await page.addInitScript(typeAtHydration, { selector, text })
  await page.goto(addressOf(event))
  await isRunning(page)
  const field = page.getByLabel(label, { exact: true })
  // Once its countries are loaded, a phone number is written in full.
  const end = text.slice(1)
  expect(await field.inputValue()).toContain(end)
  await page.reload()
  await isRunning(page)
  expect(await field.inputValue()).toContain(end)
  expect(wrong).toEqual([])
})

/** Types into a field after React has begun to listen to the page, and before it has hydrated the form. */
function typeAtHydration({ selector, text }: { selector: string; text: string }): void {
  const [page] = performance.getEntriesByType('navigation')
  if (page instanceof PerformanceNavigationTiming && page.type === 'reload') return
  const listen = EventTarget.prototype.addEventListener
  const type = () => {
    const field = document.querySelector<HTMLInputElement | HTMLTextAreaElement>(selector)
    if (field?.value !== '') return
    field.value = text
    field.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }
  EventTarget.prototype.addEventListener = function (kind: string, ...rest) {
    if (kind === 'input' && this instanceof Element && this.id === 'root') queueMicrotask(type)
    return listen.call(this, kind, ...rest)
  }
}

test('an answer corrected in a refused form stays when the page is hydrated', async () => {
  const event = await addEvent('Refused')
  await addQuestions(event, [{ typeId: 1, text: 'Why?', required: false, options: [] }])
  const page = await openPage(browser, PHONE)
  const release = await holdScript(page)
  await page.goto(addressOf(event))
  await page.getByLabel('Name').fill('Rita Refused')
  await page.getByLabel('E-mail', { exact: true }).fill('rita@')
  await page.getByLabel('Phone', { exact: true }).fill('+49301234567')
  const why = page.getByLabel('Why?')
  await why.fill('Becuase')
  await page.locator('#registration-form').evaluate((form) => form instanceof HTMLFormElement && form.submit())
  await page.getByRole('alert').first().waitFor()
  await why.fill('Because')
  release()
  await isRunning(page)
  expect(await why.inputValue()).toBe('Because')
  await page.getByLabel('E-mail', { exact: true }).fill('rita@example.org')
  await page.goto(addressOf(event))
  await isRunning(page)
  expect(await why.inputValue()).toBe('Because')
})

test('a form whose script cannot be loaded stays as it is, and its next use loads it', async () => {
  const page = await openPage(browser, PHONE)
  await page.route('**/assets/account-*.js', (route) => route.abort())
  const lost = page.waitForEvent('requestfailed')
  await page.goto(`${served.url}/signin`)
  const email = page.getByLabel('E-mail', { exact: true })
  await email.fill('ana@example.')
  await lost
  // An error would be shown by now.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  await page.unroute('**/assets/account-*.js')
  // Chromium forgets failed scripts since version 156; before, only reloading the page would help.
  await email.press('End')
  await page.keyboard.type('org')
  expect(await email.inputValue()).toBe('ana@example.org')
  await page.getByLabel('Password', { exact: true }).fill('correct horse 1')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Rush Club' }).waitFor()
})

test('an event’s page stays if the part about an unpaid registration cannot be loaded', async () => {
  const event = await addEvent('Lost part')
  const page = await openPage(browser, PHONE)
  await page.goto(addressOf(event))
  await isRunning(page)
  await page.evaluate((id) => {
    const holder = { id: 1, qrUuid: crypto.randomUUID() }
    sessionStorage.setItem(`registration-${id}-unpaid`, JSON.stringify(holder))
  }, event.id)
  await page.route('**/assets/UnpaidRegistration-*.js', (route) => route.abort())
  await page.reload()
  await page.getByText('This page has not loaded completely.').waitFor()
  expect(await page.getByRole('heading', { name: event.name }).count()).toBe(1)
  await expectAccessible(page)
})

test('an invitation whose script cannot be loaded says so', async () => {
  const page = await openPage(browser, PHONE)
  await page.route('**/assets/take-over-*.js', (route) => route.abort())
  await page.goto(`${served.url}/invitation#x`)
  await page.getByText('This page has not loaded completely.').waitFor()
  expect(await page.locator('.loading').isVisible()).toBe(false)
  await expectAccessible(page)
  await page.unroute('**/assets/take-over-*.js')
  await page.reload()
  await page.getByText('This invitation no longer works').first().waitFor()
})

test('without the rest of its script the form is still sent', async () => {
  const event = await addEvent('Lost script')
  const page = await openPage(browser, PHONE)
  await page.route('**/assets/take-over-*.js', (route) => route.abort())
  await page.goto(addressOf(event))
  await page.getByLabel('Name').fill('Leo Lost')
  await page.getByLabel('E-mail', { exact: true }).fill('leo@example.org')
  await page.getByLabel('Phone', { exact: true }).fill('+49301234567')
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByRole('heading', { name: 'You are registered' }).waitFor()
  expect(await taken(event)).toBe(1)
})

test('when the script hangs the form is sent without it; a password is never in the address', async () => {
  const event = await addEvent('Hanging script')
  const page = await openPage(browser, PHONE)
  await holdScript(page)
  await page.goto(addressOf(event))
  await page.getByLabel('Name').fill('Hana Hang')
  await page.getByLabel('E-mail', { exact: true }).fill('hana@example.org')
  await page.getByLabel('Phone', { exact: true }).fill('+49301234567')
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByRole('heading', { name: 'You are registered' }).waitFor()
  await page.goto(`${served.url}/signin?next=%2Fprofile`)
  await page.getByLabel('E-mail', { exact: true }).fill('ana@example.org')
  await page.getByLabel('Password', { exact: true }).fill('correct horse 1')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('This page has not loaded completely.').waitFor()
  expect(page.url()).toBe(`${served.url}/signin?next=%2Fprofile`)
  const plain = await (await browser.newContext({ viewport: PHONE, javaScriptEnabled: false })).newPage()
  await plain.goto(`${served.url}/signin?next=%2Fprofile`)
  await plain.getByLabel('Password', { exact: true }).fill('correct horse 1')
  await Promise.all([
    plain.waitForResponse((response) => response.status() === 303),
    plain.getByRole('button', { name: 'Sign in' }).click(),
  ])
  await plain.waitForLoadState()
  expect(plain.url()).toBe(`${served.url}/signin?next=%2Fprofile`)
})
