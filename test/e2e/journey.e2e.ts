import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Event } from '../../src/contract/event.ts'
import { eventApi } from '../../src/contract/events.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { ticketUrl } from '../../src/contract/values/ticket-codes.ts'
import { makeCameraFilm } from '../support/camera-film.ts'
import { registrationFor } from '../support/make.ts'
import { callAt, makeEventAt } from '../support/remote.ts'
import { type Served, serve, until } from '../support/serve.ts'
import {
  expectAccessible,
  launch,
  listenForErrors,
  openPage,
  SUDO,
  signIn,
  signInByForm,
  sizes,
  sudoEnv,
} from './browser.ts'

let served: Served
let token = ''

beforeAll(async () => {
  served = await serve({ port: 3911, env: sudoEnv })
  token = (await makeEventAt(served.url)).token
})
afterAll(() => served.stop())

describe.each(sizes)('on a $device', ({ device, viewport }) => {
  test('a club is set up, a visitor registers, and is checked in by code once', async () => {
    const browser = await launch()
    const staff = await browser.newContext({ viewport, permissions: ['camera'] })
    const visitor = await browser.newContext({ viewport })
    try {
      const credential = await addClub(await staff.newPage(), `Rowing Club ${device}`)
      const admin = await staff.newPage()
      const eventName = await publishEvent(admin, credential, device)
      const ticket = await register(visitor, admin, eventName, device)
      await checkInByCode(admin, eventName, ticket)
    } finally {
      await browser.close()
    }
  })
})

/** An event for two people of the shared club, made over the API, because the pages are tested by the journey above. */
async function addEvent(name: string): Promise<Event> {
  const [startsAt, endsAt] = [new Date('2030-06-21T17:00:00Z'), new Date('2030-06-21T21:00:00Z')]
  const fields = { name, startsAt, endsAt, timeZone: 'Europe/Berlin', maxAttendees: 2, status: 'published' as const }
  return (await callAt(served.url, eventApi.save, fields, token)).payload
}

async function addTicket(event: Event, fields: { name: string; email: string }): Promise<string> {
  const { payload } = await callAt(served.url, registrationApi.initRegistration, registrationFor(event, fields))
  return ticketUrl(served.url, payload.savedRegistration)
}

const addressOf = ({ id, clubId }: Event) => `${served.url}/club/${clubId}/event/${id}`
const taken = async ({ id }: Event) =>
  (await callAt(served.url, eventApi.getEvent, { eventId: id })).payload.registrationCount

test('the fake camera shows the ticket: it is let in, and the second time it says since when', async () => {
  const event = await addEvent('Camera')
  const url = await addTicket(event, { name: 'Vera Visitor', email: 'vera@example.org' })
  // The camera's picture is chosen when the browser starts, so the door has a browser of its own.
  const door = await launch(makeCameraFilm(url))
  try {
    const context = await door.newContext({ viewport: { width: 390, height: 844 }, permissions: ['camera'] })
    const page = await context.newPage()
    await signIn(page, served, { email: 'ana@example.org', password: 'correct horse 1' })
    await page.goto(`${served.url}/event/${event.id}/scanner/main`)
    await page.getByText('Valid', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Take back Vera Visitor' }).waitFor()
    await page.reload()
    await page.getByText(/^by Ana, Phone [0-9A-F]{4}$/).waitFor()
  } finally {
    await door.close()
  }
})

async function addClub(page: Page, name: string) {
  await signIn(page, served, SUDO)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Add a club' }).click()
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Time zone').selectOption('Europe/Berlin')
  await page.getByRole('button', { name: 'Add the club' }).click()
  const card = page.getByRole('listitem').filter({ hasText: name })
  await card.getByRole('link', { name: 'Team' }).click()
  await page.getByLabel('Name').fill('Ana Admin')
  const email = `${name.toLowerCase().replaceAll(' ', '.')}@example.org`
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: 'Add the owner' }).click()
  const password = (await page.locator('.code').textContent()) ?? ''
  await expectAccessible(page)
  await page.goto(`${served.url}/signout`)
  await page.waitForURL(/signin/)
  return { email, password }
}

async function publishEvent(page: Page, credential: { email: string; password: string }, device: string) {
  const name = `Summer party ${device}`
  await signInByForm(page, served, credential)
  await page.getByRole('link', { name: 'Add an event' }).click()
  await page.getByRole('button', { name: 'Save as draft' }).click()
  await page.getByText('Enter the name of the event.').waitFor()
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Description').fill('Music and **boats**. <script>alert(1)</script>')
  await page.getByLabel('Place (optional)').fill('Boathouse')
  // Typed letter by letter: the end follows only once the start is complete.
  await page.getByRole('textbox', { name: 'Starts' }).pressSequentially('21.6.2030 1900')
  await page.getByRole('textbox', { name: 'Starts' }).blur()
  expect(await page.getByRole('textbox', { name: 'Starts' }).inputValue()).toBe('21/06/2030 19:00')
  expect(await page.getByRole('textbox', { name: 'Ends' }).inputValue()).toBe('21/06/2030 22:00')
  await page.getByRole('textbox', { name: 'Ends' }).fill('21/06/2030 23:00')
  await page.getByLabel('Capacity').fill('2')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save and publish' }).click()
  await page.getByRole('heading', { name }).waitFor()
  await page.getByRole('heading', { name: 'Your event is live' }).waitFor()
  await expectAccessible(page)
  return name
}

async function register(visitor: BrowserContext, admin: Page, eventName: string, device: string): Promise<string> {
  const clubPage = await admin
    .getByRole('link', { name: 'Club page', includeHidden: true })
    .first()
    .getAttribute('href')
  const page = await visitor.newPage()
  const wrong = listenForErrors(page)
  await page.goto(`${served.url}${clubPage}`)
  await expectAccessible(page)
  await page.getByRole('link', { name: new RegExp(eventName) }).click()
  await page.getByText('Friday 21/06/2030').waitFor()
  await page.getByText('19:00–23:00 CEST').waitFor()
  await page.getByText('<script>alert(1)</script>').waitFor()
  await page.getByText('2 places left').waitFor()
  expect(await page.title()).toBe(`${eventName} | Turnout`)
  // The link preview that a messaging app reads without running scripts.
  const html = await (await fetch(page.url())).text()
  expect(html).toContain(`<title data-server>${eventName} | Turnout</title>`)
  expect(html).toMatch(/<meta property="og:description" content="Friday 21\/06\/2030, 19:00–23:00 CEST · Boathouse/)
  await page.getByRole('button', { name: 'Register' }).click()
  await page.locator('.error').getByText('Enter your name.').waitFor()
  await page.getByRole('alert').getByRole('link', { name: 'Enter your name.' }).waitFor()
  await expectAccessible(page)

  // A message that no field brings itself.
  await page.getByLabel('Name').fill('V'.repeat(121))
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByRole('alert').getByRole('link', { name: 'Name: Use at most 120 characters.' }).waitFor()
  await page.getByLabel('Name').fill(`Vera Visitor ${device}`)
  await page.getByLabel('E-mail', { exact: true }).fill('vera@example.org')
  await page.getByLabel('Phone', { exact: true }).fill('+49 30 1234567')
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByRole('heading', { name: 'You are registered' }).waitFor()
  await page.getByRole('img', { name: 'QR code of this ticket' }).waitFor()
  await expectAccessible(page)

  await page.getByRole('link', { name: 'Open ticket' }).click()
  await page.getByText('Valid', { exact: true }).waitFor()
  await expectAccessible(page)
  expect(page.url()).toMatch(/\/qr\/\d+\/[0-9a-f-]{36}$/)
  expect(wrong).toEqual([])
  return page.url()
}

async function checkInByCode(page: Page, eventName: string, ticketUrl: string): Promise<void> {
  await page.reload()
  await page.getByText('1 place left').waitFor()
  await page.getByRole('link', { name: 'Door' }).click()
  await page.getByRole('heading', { name: eventName }).waitFor()
  const check = async (code: string) => {
    await page.getByLabel('Name or code').fill(code)
    await page.getByRole('button', { name: 'Find', exact: true }).click()
  }
  await check('nonsense')
  await page.getByText('Unknown code').waitFor()
  // The server lets the guest in, but its answer is lost: the phone decides by its list, and it counts as one scan.
  let lost = 0
  await page.route('**/api/checkin/syncScans', async (route) => {
    if (lost++ > 0) return route.continue()
    await route.fetch()
    await route.abort()
  })
  await check(ticketUrl)
  await page.getByText('Valid', { exact: true }).waitFor()
  await page.getByText('All sent').waitFor()
  await check(ticketUrl)
  await page.getByText(/^by Ana Admin, Phone/).waitFor()
  await expectAccessible(page)
}

test('with the network cut nothing typed is lost, and a try whose answer was lost is the same registration', async () => {
  const browser = await launch()
  try {
    const event = await addEvent('Offline')
    const page = await openPage(browser)
    await page.goto(addressOf(event))
    await page.getByLabel('Name').fill('Olga Offline')
    await page.getByLabel('E-mail', { exact: true }).fill('olga@example.org')
    await page.getByLabel('Phone', { exact: true }).pressSequentially('030 1234567')
    await page.getByLabel('Phone', { exact: true }).blur()
    // A page that is not taken over yet stores nothing.
    const isStored = () => page.evaluate(() => Object.values(sessionStorage).some((text) => text.includes('1234567')))
    await until(isStored, 30_000, 'what was typed is stored')
    await page.reload()
    await until(
      async () => (await page.getByLabel('Phone', { exact: true }).inputValue()).replaceAll(' ', '') === '+49301234567',
      30_000,
      'the number typed before the reload is there again',
    )
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Register' }).click()
    await page.getByText('No connection. Please try again when you are online.').waitFor()
    expect(await page.getByLabel('Name').inputValue()).toBe('Olga Offline')
    await page.context().setOffline(false)

    // The server receives this one, but its answer does not arrive.
    let lost = 0
    await page.route('**/api/registration/initRegistration', async (route) => {
      if (lost++ > 0) return route.continue()
      await route.fetch()
      await route.abort()
    })
    await page.getByRole('button', { name: 'Register' }).click()
    await page.getByText('No answer came, so it may or may not be done.').waitFor()
    await until(async () => lost === 1, 30_000, 'the first try has been made')
    await page.getByRole('button', { name: 'Register' }).click()
    await page.getByRole('heading', { name: 'You are registered' }).waitFor()
    expect(await taken(event)).toBe(1)
  } finally {
    await browser.close()
  }
})

test('the ticket holder saves it, has it mailed again, and returns the place', async () => {
  const browser = await launch()
  try {
    const event = await addEvent('Holder')
    const url = await addTicket(event, { name: 'Vera Visitor', email: 'vera@example.org' })
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' })
    context.setDefaultTimeout(30_000)
    const page = await context.newPage()
    await page.goto(url)
    for (const [role, name, file] of [
      ['link', 'Save as PDF', /^ticket-\d+\.pdf$/],
      ['button', 'Save the code', /^ticket-\d+\.png$/],
      ['link', 'Add to calendar', /^event-\d+\.ics$/],
    ] as const) {
      const download = page.waitForEvent('download')
      await page.getByRole(role, { name }).click()
      expect((await download).suggestedFilename()).toMatch(file)
    }
    await page.getByText('Correct your details').click()
    await page.getByLabel('Name').fill('')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Enter your name.').waitFor()
    await page.getByLabel('Name').fill('Vera Corrected')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Vera Corrected').waitFor()
    await page.getByRole('button', { name: /show it on the full screen/ }).click()
    await page.getByRole('button', { name: 'Back to the page' }).click()

    // After it was opened once, it also opens without network.
    await page.getByText('Kept on this device').waitFor()
    await context.setOffline(true)
    await page.reload()
    await page.getByText('You are offline.').waitFor()
    await page.getByRole('img', { name: 'QR code of this ticket' }).waitFor()
    await page.getByText('Vera Corrected').waitFor()
    await context.setOffline(false)
    await page.goto(`${url}#give-back`)
    await page.reload()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Give my place back' }).click()
    await page.getByRole('button', { name: 'Yes, give it back' }).click()
    await page.getByText('Cancelled', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Save as PDF' }).waitFor({ state: 'detached' })
    expect(await taken(event)).toBe(0)
    await page.goto(`${served.url}/club/${event.clubId}/event`)
    await page.getByRole('link', { name: /Holder/ }).click()
    await page.getByText('Lost your ticket?').click()
    await page.getByLabel('E-mail you registered with').fill('vera@example.org')
    await page.getByRole('button', { name: 'Send it again' }).click()
    await page.getByText('If this address is registered, the ticket is on its way to it.').waitFor()
    await expectAccessible(page)
  } finally {
    await browser.close()
  }
})

test('the ticket mail of each registration is in the outbox', async () => {
  const { readdirSync } = await import('node:fs')
  const count = () => readdirSync(join(served.dataDir, 'outbox')).filter((name) => name.endsWith('.eml')).length
  await until(async () => count() >= 4, 30_000, 'four mails are written')
})

test('in a crowd at one address the form does a proof of work by itself, says so, and registers once', async () => {
  const browser = await launch()
  try {
    const event = await addEvent('Crowd')
    // Earlier visitors at this address: they ask for a voucher that does not exist, which is refused but still counts.
    const crowd = async () => {
      for (let n = 0, status = 0; status !== 429; n++) {
        const newRegistration = { eventId: event.id, clubId: event.clubId, registrationData: person(n) }
        const answer = await fetch(`${served.url}/api/registration/initRegistration`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ newRegistration, extrasIds: [1_000_000] }),
        })
        status = answer.status
      }
    }
    const page = await openPage(browser, sizes[0]?.viewport)
    const wrong = listenForErrors(page, /429|ERR_FAILED/)
    const sent: { key: unknown; hasProof: boolean }[] = []
    page.on('request', (request) => {
      if (!request.url().endsWith('/initRegistration')) return
      sent.push({ key: request.postDataJSON().idempotencyKey, hasProof: 'x-proof' in request.headers() })
    })
    // The server receives the first request with a proof, but its answer does not arrive.
    let isLost = false
    await page.route('**/initRegistration', async (route) => {
      const hasProof = 'x-proof' in route.request().headers()
      // Right before the first try, because the minute in which they are counted may have begun long ago.
      if (!hasProof && !isLost) await crowd()
      if (isLost || !hasProof) return route.continue()
      isLost = true
      await route.fetch()
      await route.abort()
    })
    await page.goto(addressOf(event))
    await page.getByLabel('Name').fill('Paula Proof')
    await page.getByLabel('E-mail', { exact: true }).fill('paula@example.org')
    await page.getByLabel('Phone', { exact: true }).fill('+49 30 1234567')
    await page.getByRole('button', { name: 'Register' }).click()
    await page.getByText('No answer came, so it may or may not be done.').waitFor()
    await page.getByRole('button', { name: 'Register' }).click()
    await page.getByRole('heading', { name: 'You are registered' }).waitFor()
    expect(sent.map(({ hasProof }) => hasProof).slice(0, 2)).toEqual([false, true])
    expect(new Set(sent.map(({ key }) => key)).size).toBe(1)
    expect(await taken(event)).toBe(1)
    expect(wrong).toEqual([])
  } finally {
    await browser.close()
  }
})

const person = (n: number) => ({ name: `Crowd ${n}`, email: `crowd${n}@example.org`, phone: '+49 30 1234567' })
