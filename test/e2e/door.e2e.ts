import { rmSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { eventApi } from '../../src/contract/events.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { shortCode } from '../../src/contract/values/ticket-codes.ts'
import { makeCameraFilm } from '../support/camera-film.ts'
import { registrationFor } from '../support/make.ts'
import { callAt } from '../support/remote.ts'
import { makeDataDir, until } from '../support/serve.ts'
import { expectAccessible, launch, listenForErrors, signIn } from './browser.ts'
import {
  beep,
  type DoorFixture,
  expectVerdict,
  killMortals,
  launchMortal,
  nextPlease,
  openPhone,
  openScanner,
  prepare,
  revoke,
  startDoorFixture,
} from './door-set-up.ts'

const HOUR = 60 * 60_000
let fixture: DoorFixture
beforeAll(async () => {
  fixture = await startDoorFixture(3951)
})
afterEach(killMortals)
afterAll(() => fixture.served.stop())

const inNow = async (name: string) => {
  const row = (await fixture.attendees()).find(({ registration }) => registration.registrationData.name === name)
  return row?.checkin?.status ? row.checkin : null
}
const settled = (page: Page) => page.getByText('All sent').waitFor()

async function withBrowser(film: string | undefined, work: (browser: Browser) => Promise<void>): Promise<void> {
  const browser = await launch(film)
  try {
    await work(browser)
  } finally {
    await browser.close()
  }
}

test('with network: the camera lets a ticket in, each refusal has its own message, and the latest scans can be taken back', async () => {
  const seen = await fixture.guest('Cora Camera', 'Nuts')
  await withBrowser(makeCameraFilm(fixture.codeOf(seen)), async (browser) => {
    const [typed, byName, cancelled] = [
      await fixture.guest('Tom Typed'),
      await fixture.guest('Łucja Nowak'),
      await fixture.guest('Cara Cancelled'),
    ]
    const { id: eventId } = fixture.event
    const cancel = { payload: { id: cancelled.id, eventId, status: 'cancelled' as const } }
    await callAt(fixture.served.url, attendeeApi.updateStatus, cancel, fixture.token)
    const page = await openPhone(browser, fixture)
    const wrong = listenForErrors(page, /Failed to load resource: the server responded with a status of (404|409)/)

    await page.getByRole('button', { name: 'Take back Cora Camera' }).waitFor()
    // On a busy machine the phone may have decided before the server's answer.
    await until(async () => (await inNow('Cora Camera')) !== null, 30_000, 'the server knows of it')
    await settled(page)
    await page.reload()
    await expectVerdict(page, 'already', 'Cora Camera')
    // While the code stays in front of the camera, it is the same scan.
    await page.locator('[data-verdict]').waitFor({ state: 'detached' })
    await page.waitForTimeout(1_500)
    expect(await page.locator('[data-verdict]').count()).toBe(0)
    await expectAccessible(page)

    await beep(page, shortCode(typed))
    await expectVerdict(page, 'in', 'Tom Typed')
    await beep(page, shortCode(typed))
    await expectVerdict(page, 'already', /\(\d\d:\d\d\)\s*by Ana, Phone [0-9A-F]{4}/)
    await expectAccessible(page)
    await beep(page, fixture.codeOf(cancelled))
    await expectVerdict(page, 'refused', 'This ticket has been cancelled.')
    await beep(page, `${fixture.codeOf(typed)}?type=voucher`)
    await expectVerdict(page, 'refused', 'Use the voucher scanner for it.')
    await beep(page, 'https://example.org/menu')
    await expectVerdict(page, 'refused', 'This is not a Turnout code.')
    await beep(page, await codeOfAnotherEvent())
    await expectVerdict(page, 'refused', 'This ticket is for another event: Winter ball.')
    await nextPlease(page)

    await page.getByLabel('Name or code').fill('novak lucj')
    await page.getByRole('button', { name: 'Let Łucja Nowak in' }).click()
    await expectVerdict(page, 'in', 'Łucja Nowak')
    await settled(page)
    expect(await inNow('Łucja Nowak')).toMatchObject({ checkedInBy: 'Ana' })
    await nextPlease(page)
    await page.getByRole('button', { name: 'Take back Łucja Nowak' }).click()
    await page.getByText('Taken back').waitFor()
    await settled(page)
    await until(async () => (await inNow('Łucja Nowak')) === null, 30_000, 'the check-in is taken back')
    expect(byName.status).toBe('confirmed')
    expect(wrong).toEqual([])
  })
})

async function codeOfAnotherEvent(): Promise<string> {
  const times = { startsAt: new Date('2030-12-21T17:00:00Z'), endsAt: new Date('2030-12-21T21:00:00Z') }
  const fields = { name: 'Winter ball', ...times, status: 'published' as const }
  const other = (await callAt(fixture.served.url, eventApi.save, fields, fixture.token)).payload
  const request = registrationFor(other)
  return fixture.codeOf(
    (await callAt(fixture.served.url, registrationApi.initRegistration, request)).payload.savedRegistration,
  )
}

test('in confirm mode nobody is let in before staff confirm; somebody without a ticket is added', async () => {
  await withBrowser(undefined, async (browser) => {
    const [guest, other] = [await fixture.guest('Conny Confirm', 'Milk'), await fixture.guest('Nelly Next')]
    const page = await openPhone(browser, fixture)
    await page.getByRole('button', { name: 'Settings' }).click()
    await page.getByText('This phone is ready').waitFor()
    await page.getByLabel('Name of this phone').fill('Back gate')
    await page.getByText('Confirm', { exact: true }).click()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await beep(page, fixture.codeOf(guest))
    const asking = page.locator('[data-verdict=ask]').filter({ hasText: 'Conny Confirm' })
    await asking.getByText('Milk').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Not now' }).click()
    expect(await inNow('Conny Confirm')).toBeNull()
    await beep(page, fixture.codeOf(guest))
    await asking.waitFor()
    // The next scan must not replace the question under the finger.
    await beep(page, fixture.codeOf(other))
    await page.keyboard.press('Enter')
    await expectVerdict(page, 'in', 'Conny Confirm')
    await page.locator('[data-verdict=ask]').filter({ hasText: 'Nelly Next' }).waitFor()
    expect(await inNow('Nelly Next')).toBeNull()
    await page.getByRole('button', { name: 'Not now' }).click()
    await page.getByRole('listitem').filter({ hasText: 'Conny Confirm' }).waitFor()

    await page.getByRole('button', { name: 'Add somebody' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Wanda Walk-in')
    await page.getByLabel('Allergies (optional)').fill('Eggs')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    const added = page.locator('[data-verdict=ask]').filter({ hasText: 'Wanda Walk-in' })
    await added.getByText('Eggs').waitFor()
    await page.getByRole('button', { name: 'Let in', exact: true }).click()
    await expectVerdict(page, 'in', 'Wanda Walk-in')
    await settled(page)
    expect(await inNow('Wanda Walk-in')).not.toBeNull()
  })
})

test('without network from the start of scanning: the page opens, the camera lets in at once, all is sent later, ten times over', async () => {
  const [seen, typed, found] = [
    await fixture.guest('Odo Offline', 'Fish'),
    await fixture.guest('Olga Offline'),
    await fixture.guest('Ötzi Offline'),
  ]
  await withBrowser(makeCameraFilm(fixture.codeOf(seen)), async (browser) => {
    // Opened once with network; the camera's scan is taken back, so that the guest is not checked in yet.
    const page = await openPhone(browser, fixture, { name: 'Gate O' })
    await page.getByRole('button', { name: 'Take back Odo Offline' }).waitFor()
    await nextPlease(page)
    await page.getByRole('button', { name: 'Take back Odo Offline' }).click()
    await until(async () => (await inNow('Odo Offline')) === null, 30_000, 'it is not in')
    await settled(page)
    await page.getByText('Up to date').waitFor()

    await page.context().setOffline(true)
    await page.reload()
    await expectVerdict(page, 'in', /Odo Offline.*Fish/)
    await page.getByText('No network').waitFor()
    await page.getByText('1 to send').waitFor()
    await beep(page, shortCode(typed))
    await expectVerdict(page, 'in', 'Olga Offline')
    await beep(page, fixture.codeOf(typed))
    await expectVerdict(page, 'already', /by Ana, Gate O/)
    await beep(page, shortCode({ ...typed, qrUuid: '00000000-0000-4000-8000-000000000000' }))
    await expectVerdict(page, 'refused', 'This code is not on this phone’s list')
    await nextPlease(page)
    await page.getByLabel('Name or code').fill('otzi')
    await page.getByRole('button', { name: 'Let Ötzi Offline in' }).click()
    await expectVerdict(page, 'in', 'Ötzi Offline')
    await nextPlease(page)
    await page.getByRole('button', { name: 'Take back Ötzi Offline' }).click()
    await page.getByText('4 to send').waitFor()
    await expectAccessible(page)
    expect(await inNow('Olga Offline')).toBeNull()

    // Nine times the server handles the scans but its answer is lost.
    await page.route('**/api/checkin/syncScans', async (route) => {
      for (let n = 0; n < 9; n++) expect((await route.fetch()).status()).toBe(200)
      await route.continue()
    })
    await page.context().setOffline(false)
    await settled(page)
    expect(await inNow('Odo Offline')).toMatchObject({ checkedInBy: 'Ana' })
    expect(await inNow('Olga Offline')).not.toBeNull()
    expect(await inNow('Ötzi Offline')).toBeNull()
    expect(await fixture.conflicts()).toEqual([])
    expect(found.status).toBe('confirmed')
    // A slow request may have been repeated in parallel.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })
})

test('two phones without network and one ticket, one of them with its clock wrong by two hours: one check-in, one conflict', async () => {
  const ticket = await fixture.guest('Dora Double')
  const [cancelled, byB] = [await fixture.guest('Carl Cancelled'), await fixture.guest('Bea Boundless')]
  await withBrowser(undefined, async (browser) => {
    const a = await openPhone(browser, fixture, { name: 'Gate A' })
    const b = await openPhone(browser, fixture, { name: 'Gate B', wrongBy: 2 * HOUR })
    for (const phone of [a, b]) await phone.context().setOffline(true)
    const from = Date.now()
    for (const phone of [a, b]) {
      await beep(phone, fixture.codeOf(ticket))
      await expectVerdict(phone, 'in', 'Dora Double')
      await beep(phone, fixture.codeOf(ticket))
      await expectVerdict(phone, 'already', 'Dora Double')
    }
    await beep(b, fixture.codeOf(cancelled))
    await expectVerdict(b, 'in', 'Carl Cancelled')
    await beep(b, fixture.codeOf(byB))
    await expectVerdict(b, 'in', 'Bea Boundless')
    const cancel = { payload: { id: cancelled.id, eventId: fixture.event.id, status: 'cancelled' as const } }
    await callAt(fixture.served.url, attendeeApi.updateStatus, cancel, fixture.token)

    await a.context().setOffline(false)
    await settled(a)
    await b.context().setOffline(false)
    await settled(b)
    await b.getByText(/Dora Double was let in here, but: Already checked in/).waitFor()
    const found = await fixture.conflicts()
    expect(found.map(({ name, code, scan, first }) => [name, code, scan.device, first?.device])).toEqual(
      expect.arrayContaining([
        ['Dora Double', 'ALREADY_CHECKED_IN', 'Gate B', 'Gate A'],
        ['Carl Cancelled', 'TICKET_CANCELLED', 'Gate B', undefined],
      ]),
    )
    expect(found).toHaveLength(2)
    const right = (at: Date | null | undefined) => at && at.getTime() > from - 1_000 && at.getTime() < Date.now()
    expect(found.every(({ scan }) => right(scan.at))).toBe(true)
    expect(right((await inNow('Bea Boundless'))?.checkinTime)).toBe(true)
    expect(right((await inNow('Dora Double'))?.checkinTime)).toBe(true)

    await b.getByRole('button', { name: '2 conflicts' }).click()
    await b
      .getByText(/Let in again .* by Ana on Gate B/)
      .first()
      .waitFor()
    await expectAccessible(b)
    await a.goto(`${fixture.served.url}/dashboard/admin`)
    await a.getByText(/2 tickets of Rush were let in against the list/).waitFor()
    await a.getByRole('link', { name: 'Look into it' }).click()
    await a.getByRole('button', { name: 'Done: Dora Double' }).click()
    await a.getByText(/Done by Ana/).waitFor()
    await expectAccessible(a)
    expect((await fixture.conflicts()).filter(({ seenAt }) => seenAt === null)).toHaveLength(1)
  })
})

test('a phone that dies with a full queue loses nothing that it showed green', async () => {
  const guests = []
  for (let n = 1; n <= 8; n++) guests.push(await fixture.guest(`Dead Battery ${n}`))
  const profile = makeDataDir()
  try {
    // Signed in during an earlier run of the browser.
    const before = await launchMortal(profile)
    await signIn(await newPage(before.browser), fixture.served, {
      email: 'ana@example.org',
      password: 'correct horse 1',
    })
    await before.close()
    const first = await launchMortal(profile)
    const page = await newPage(first.browser)
    await openScanner(page, fixture)
    await page.context().setOffline(true)
    for (const guest of guests) {
      await beep(page, fixture.codeOf(guest))
      await expectVerdict(page, 'in', guest.registrationData.name)
    }
    await first.kill()
    expect(await inNow('Dead Battery 8')).toBeNull()

    const second = await launchMortal(profile)
    const revived = await newPage(second.browser)
    await revived.goto(`${fixture.served.url}/event/${fixture.event.id}/scanner/main`)
    await revived.getByRole('listitem').filter({ hasText: 'Dead Battery 8' }).waitFor()
    for (const { registrationData } of guests)
      await until(async () => (await inNow(registrationData.name)) !== null, 30_000, `${registrationData.name} is in`)
    await second.kill()
  } finally {
    rmSync(profile, { recursive: true, force: true })
  }
})

async function newPage(browser: Browser): Promise<Page> {
  const [context] = browser.contexts()
  if (!context) throw new Error('The browser has no profile.')
  await prepare(context)
  return context.newPage()
}

test('nothing of the list stays on a phone that is signed out or whose access was revoked; scans wait without codes', async () => {
  const guest = await fixture.guest('Rita Removed')
  await withBrowser(undefined, async (browser) => {
    const page = await openPhone(browser, fixture)
    const kept = () =>
      page.evaluate(async () => {
        const open = indexedDB.open('turnout-door')
        await new Promise((resolve) => {
          open.onsuccess = resolve
        })
        const all = ['lists', 'tickets', 'queue', 'recent'].map(async (name) => {
          const request = open.result.transaction(name).objectStore(name).getAll()
          await new Promise((resolve) => {
            request.onsuccess = resolve
          })
          return request.result
        })
        const text = JSON.stringify(await Promise.all(all))
        open.result.close()
        return text
      })
    expect(await kept()).toContain('Rita Removed')
    expect(await kept()).not.toContain(guest.qrUuid)
    await page.context().setOffline(true)
    await beep(page, fixture.codeOf(guest))
    await expectVerdict(page, 'in', 'Rita Removed')
    await nextPlease(page)
    await page.getByRole('button', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'Sign out' }).click()
    await page.getByText(/1 scan of this phone could not be sent yet/).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Sign out all the same' }).click()
    await page.waitForURL(/signin/)
    await page
      .getByText(/^Signed out on this device\. The server could not be told/)
      .first()
      .waitFor()
    for (const secret of ['Rita Removed', guest.qrUuid]) expect(await kept()).not.toContain(secret)
    await page.context().setOffline(false)

    // The next person of the club to sign in on this phone sends it.
    await signIn(page, fixture.served, { email: 'ana@example.org', password: 'correct horse 1' })
    await until(async () => (await inNow('Rita Removed')) !== null, 30_000, 'what waited was sent')
    await until(async () => !(await kept()).includes('wasShownIn'), 30_000, 'and is not kept to be sent again')
    await openScanner(page, fixture)
    expect(await kept()).toContain('Rita Removed')
    await revoke(fixture, page)
    await page.waitForURL(/signin/)
    await until(async () => !(await kept()).includes('Rita Removed'), 30_000, 'the list is gone')
  })
})

test('it can be installed, and loads everything from its own server', async () => {
  await withBrowser(undefined, async (browser) => {
    const page = await openPhone(browser, fixture)
    const session = await page.context().newCDPSession(page)
    const { errors, data = '{}' } = await session.send('Page.getAppManifest')
    expect(errors).toEqual([])
    const { icons, start_url: start, ...rest } = JSON.parse(data)
    expect(rest).toMatchObject({ display: 'standalone', name: expect.stringMatching(/./) })
    expect(icons.map(({ sizes, purpose }: { sizes: string; purpose: string }) => `${sizes} ${purpose}`)).toEqual([
      ...['192x192 any', '512x512 any', '192x192 maskable', '512x512 maskable'],
    ])
    for (const { src } of icons) expect((await fetch(`${fixture.served.url}${src}`)).status).toBe(200)
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
    // The tests' profiles are incognito, which is the only error; Chromium's headless shell does not check.
    expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([])

    const hosts = new Set<string>()
    page.on('request', (request) => hosts.add(new URL(request.url()).origin))
    await page.reload()
    await page.getByText('Up to date').waitFor()
    expect([...hosts]).toEqual([fixture.served.url])
    // The installed app opens with the door that was last open here, without network too.
    await page.context().setOffline(true)
    await page.goto(`${fixture.served.url}${start}`)
    await page.getByText('No network').waitFor()
    expect(page.url()).toContain('/scanner/main')
  })
})
