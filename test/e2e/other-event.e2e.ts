import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventApi } from '../../src/contract/events.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { makeCameraFilm } from '../support/camera-film.ts'
import { registrationFor } from '../support/make.ts'
import { callAt } from '../support/remote.ts'
import { expectAccessible, launch } from './browser.ts'
import { beep, type DoorFixture, expectVerdict, nextPlease, openPhone, startDoorFixture } from './door-set-up.ts'

const DAY = 24 * 60 * 60_000
let fixture: DoorFixture
beforeAll(async () => {
  fixture = await startDoorFixture(4001)
})
afterAll(() => fixture.served.stop())

test('without network, the camera names the other event of a ticket; an unknown code and a short code stay unknown', async () => {
  const { served, event, token } = fixture
  const [startsAt, endsAt] = [event.startsAt, event.endsAt].map((at) => new Date(at.getTime() + DAY))
  const fields = { name: 'Winter concert', startsAt, endsAt, status: 'published' as const }
  const other = (await callAt(served.url, eventApi.save, fields, token)).payload
  const request = registrationFor(other)
  const ticket = (await callAt(served.url, registrationApi.initRegistration, request)).payload.savedRegistration
  const guest = await fixture.guest('Gina Guest')

  const browser = await launch(makeCameraFilm(fixture.codeOf(ticket)))
  const page = await openPhone(browser, fixture)
  const words = /Other event\s*Winter concert \([A-Z][a-z]+day \d\d:\d\d\)/
  await page.waitForFunction(async () => {
    const open = indexedDB.open('turnout-other-events')
    await new Promise((resolve) => {
      open.onsuccess = resolve
    })
    const stored = open.result.objectStoreNames.contains('others')
    const request = stored ? open.result.transaction('others').objectStore('others').count() : null
    if (request)
      await new Promise((resolve) => {
        request.onsuccess = resolve
      })
    open.result.close()
    return request?.result === 1
  })
  // With network too, the phone's own words say when it is. The first load may have read the code before the phone had them.
  await page.reload()
  await expectVerdict(page, 'refused', words)
  await page.context().setOffline(true)
  await page.reload()
  await page.getByText('No network', { exact: true }).waitFor()
  await expectVerdict(page, 'refused', words)
  await expectAccessible(page)
  await nextPlease(page)
  await beep(page, fixture.codeOf({ ...ticket, qrUuid: guest.qrUuid }))
  await expectVerdict(page, 'refused', 'This code is not on this phone’s list')
  await beep(page, fixture.codeOf(guest))
  await expectVerdict(page, 'in', 'Gina Guest')
  expect(await page.evaluate(() => document.body.innerText)).not.toContain(ticket.registrationData.name)
  await browser.close()
})
