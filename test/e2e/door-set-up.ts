import { spawn } from 'node:child_process'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { type AttendeeRow, attendeeApi } from '../../src/contract/attendees.ts'
import { authApi } from '../../src/contract/auth.ts'
import { type Conflict, doorApi } from '../../src/contract/door.ts'
import type { Event } from '../../src/contract/event.ts'
import { type FormQuestion, formApi } from '../../src/contract/forms.ts'
import { type Registration, registrationApi } from '../../src/contract/registrations.ts'
import { ticketUrl } from '../../src/contract/values/ticket-codes.ts'
import { registrationFor } from '../support/make.ts'
import { callAt, makeEventAt, OPERATOR } from '../support/remote.ts'
import { ended, type Served, serve } from '../support/serve.ts'
import { argumentsFor, executablePath, signIn } from './browser.ts'

/** The club's admin, as created by `makeEventAt`. */
export const ANA = { email: 'ana@example.org', password: 'correct horse 1' }
export const PHONE = { width: 390, height: 844 }

export interface DoorFixture {
  served: Served
  event: Event
  token: string
  question: FormQuestion | undefined
  guest: (name: string, answer?: string) => Promise<Registration>
  codeOf: (registration: Registration) => string
  attendees: () => Promise<AttendeeRow[]>
  conflicts: () => Promise<Conflict[]>
}

/** A server with an event whose form has a question that is shown at the door. */
export async function startDoorFixture(port: number): Promise<DoorFixture> {
  const served = await serve({ port, env: { ...OPERATOR, SMTP_URL: 'smtp://127.0.0.1:9', LIMITS: 'off' } })
  const { event, token } = await makeEventAt(served.url)
  const formQuestions = [{ typeId: 0, text: 'Allergies', required: false, options: [], showAtDoor: true }]
  const form = { payload: { eventId: event.id, formQuestions, rmQIds: [] } }
  const [question] = (await callAt(served.url, formApi.save, form, token)).payload
  const { id: eventId } = event
  return {
    served,
    event,
    token,
    question,
    guest: async (name, answer = '') => {
      const others = question ? [{ qId: question.id, answer }] : []
      const request = registrationFor(event, { name, others })
      return (await callAt(served.url, registrationApi.initRegistration, request)).payload.savedRegistration
    },
    codeOf: (registration) => ticketUrl(served.url, registration),
    attendees: async () => {
      const input = { eventId, searchKeyword: '', sortBy: 'name' as const, limit: 200 }
      return (await callAt(served.url, attendeeApi.getAttendees, input, token)).payload.attendees
    },
    conflicts: async () => (await callAt(served.url, doorApi.getConflicts, { eventId }, token)).payload,
  }
}

/** Ends the page's session on the server, but not that of these tests. */
export async function revoke(fixture: DoorFixture, page: Page): Promise<void> {
  const token = (await page.evaluate(() => localStorage.getItem('token'))) ?? ''
  await callAt(fixture.served.url, authApi.signout, {}, token)
}

interface PhoneOptions {
  viewport?: { width: number; height: number }
  /** The error of the phone's clock, in ms. */
  wrongBy?: number
  /** The phone's name at the door. */
  name?: string
}

/** A new phone: signed in, with the scanner open and stored to work without network. */
export async function openPhone(browser: Browser, fixture: DoorFixture, options: PhoneOptions = {}): Promise<Page> {
  const { viewport = PHONE, wrongBy = 0, name } = options
  const context = await browser.newContext({ viewport, permissions: ['camera'], reducedMotion: 'reduce' })
  await prepare(context, wrongBy, name)
  const page = await context.newPage()
  await signIn(page, fixture.served, ANA)
  await openScanner(page, fixture)
  // Browsers play no sound before the first touch or key, and the driver's own calls count as one only sometimes.
  await page.keyboard.press('Shift')
  return page
}

export async function openScanner(page: Page, fixture: DoorFixture): Promise<void> {
  await page.goto(`${fixture.served.url}/event/${fixture.event.id}/scanner/main`)
  for (const fact of ['Up to date', 'Works offline'])
    await page
      .getByText(fact)
      .waitFor()
      .catch(async (error: Error) => {
        const said = await page.locator('body').innerText()
        throw new Error(`At ${page.url()} the scanner says: ${said}`, { cause: error })
      })
}

export async function prepare(context: BrowserContext, wrongBy = 0, name?: string): Promise<void> {
  context.setDefaultTimeout(30_000)
  await context.addInitScript(noteVerdicts)
  if (wrongBy !== 0)
    await context.addInitScript((by) => {
      const Right = Date
      globalThis.Date = class extends Right {
        constructor(...args: [] | [number]) {
          if (args.length === 0) super(Right.now() + by)
          else super(...args)
        }
        static override now() {
          return Right.now() + by
        }
      } as DateConstructor // `Date` is never called without `new` here.
    }, wrongBy)
  if (name !== undefined)
    await context.addInitScript((deviceName) => {
      const device = { id: deviceName, name: deviceName, mode: 'express', sound: true, camera: null }
      localStorage.setItem('doorDevice', JSON.stringify(device))
    }, name)
}

/** Types a code like a keyboard scanner: all keys have the same timestamp, however busy the machine is. */
export async function beep(page: Page, code: string): Promise<void> {
  const keyboard = await page.context().newCDPSession(page)
  const timestamp = Date.now() / 1_000
  const press = (key: object) => keyboard.send('Input.dispatchKeyEvent', { type: 'keyDown', timestamp, ...key })
  const enter = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' }
  await Promise.all([...[...code].map((key) => press({ key, text: key })), press(enter)])
  await keyboard.detach()
}

export interface Noted extends Window {
  verdicts?: { kind: string; text: string }[]
}

/** Records each verdict as it appears, because on a busy machine it may disappear before a test has checked. */
function noteVerdicts(): void {
  const noted: NonNullable<Noted['verdicts']> = []
  Object.assign(window, { verdicts: noted })
  let latest = ''
  new MutationObserver(() => {
    const shown = document.querySelector<HTMLElement>('[data-verdict]')
    const text = shown ? `${shown.dataset.verdict} ${shown.textContent}` : ''
    if (shown && text !== latest) noted.push({ kind: shown.dataset.verdict ?? '', text: shown.textContent ?? '' })
    latest = text
  }).observe(document, { subtree: true, childList: true, characterData: true })
}

/** Waits for the verdict on this person (or with this text), and removes it and those before it from the record. */
export async function expectVerdict(
  page: Page,
  kind: 'in' | 'already' | 'refused' | 'unpaid' | 'unsure',
  text: string | RegExp,
) {
  const wanted = { kind, text: typeof text === 'string' ? text : text.source, isPattern: typeof text !== 'string' }
  await page.waitForFunction((looked) => {
    const noted = (window as Noted).verdicts ?? [] // Set by `noteVerdicts`.
    const pattern = new RegExp(looked.isPattern ? looked.text : looked.text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    const place = noted.findIndex((each) => each.kind === looked.kind && pattern.test(each.text))
    if (place < 0) return false
    noted.splice(0, place + 1)
    return true
  }, wanted)
}

/** Clears the verdict, if it has not disappeared by itself, to make room for the next. */
export async function nextPlease(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.locator('[data-verdict]').waitFor({ state: 'detached' })
}

interface Mortal {
  browser: Browser
  close: () => Promise<void>
  kill: () => Promise<void>
}

/** A browser in its own process with a profile that survives it, so that it can be killed as if the battery were empty. */
export async function launchMortal(profile: string): Promise<Mortal> {
  const args = ['--headless=new', '--remote-debugging-port=0', `--user-data-dir=${profile}`, ...argumentsFor()]
  const child = spawn(executablePath, args, { stdio: ['ignore', 'ignore', 'pipe'], detached: true })
  const endpoint = await new Promise<string>((resolve, reject) => {
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      const found = /DevTools listening on (ws:\S+)/.exec(said)?.[1]
      if (found) resolve(found)
    })
    child.once('exit', () => reject(new Error(`The browser ended: ${said}`)))
  })
  const browser = await chromium.connectOverCDP(endpoint)
  const kill = async () => {
    alive.delete(kill)
    const gone = ended(child, 'SIGKILL')
    // Kills all of its processes at once.
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    await gone
    await browser.close().catch(() => {})
  }
  alive.add(kill)
  return {
    browser,
    kill,
    close: async () => {
      const gone = new Promise((resolve) => child.once('exit', resolve))
      await (await browser.newBrowserCDPSession()).send('Browser.close').catch(() => {})
      await gone
      alive.delete(kill)
    },
  }
}

const alive = new Set<() => Promise<void>>()

/** Kills all browsers that are left, also after a test that failed half-way. */
export async function killMortals(): Promise<void> {
  for (const kill of alive) await kill()
}
