import type { Browser, Page } from 'playwright-core'
import type { Served } from '../support/serve.ts'

/** Calls the server as who is signed in on the page; answers what it has answered. */
export async function post(page: Page, path: string, body: object): Promise<{ id: number; clubId: number }> {
  return page.evaluate(
    async ([address, json]) => {
      const xsrf = /XSRF-TOKEN=([^;]*)/.exec(document.cookie)?.[1] ?? ''
      const headers = {
        'content-type': 'application/json',
        authorization: `Bearer ${localStorage.getItem('token')}`,
        'x-xsrf-token': decodeURIComponent(xsrf),
      }
      const answer = await fetch(`/api/${address}`, { method: 'POST', headers, body: json })
      const { payload, msg } = await answer.json()
      if (!answer.ok) throw new Error(`${address}: ${answer.status} ${msg}`)
      return payload
    },
    [path, JSON.stringify(body)] as const,
  )
}

/** Somebody signs their club up in a browser of that time zone, with an event that is open. */
export async function openClub(
  browser: Browser,
  { url }: Served,
  name: string,
  timezoneId = 'Europe/London',
): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    timezoneId,
  })
  context.setDefaultTimeout(30_000)
  const page = await context.newPage()
  await page.goto(`${url}/register`)
  await page.getByLabel('Name of the club').fill(name)
  await page.getByLabel('Your name').fill('Sam Sailor')
  await page.getByLabel('Your e-mail').fill(`${name.split(' ')[0]}@example.org`)
  await page.getByLabel(/^Password/).fill('wind and tide 7')
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByRole('heading', { name: 'First steps' }).waitFor()
  return page
}

export const regatta = {
  name: 'Regatta',
  startsAt: '2030-06-21T19:00:00Z',
  endsAt: '2030-06-21T23:00:00Z',
  status: 'published',
}

/** Adds somebody without an e-mail address. */
export async function add(page: Page, eventId: number, name: string): Promise<{ id: number }> {
  const registrationData = { name, email: '', phone: '', others: [] }
  return post(page, 'registration/save', { payload: { eventId, registrationData, resend: false, extrasIds: [] } })
}
