import type { Browser, Page } from 'playwright-core'
import type { Served } from '../support/serve.ts'
import { enter, openPage } from './browser.ts'

/** Calls the API from the page as its signed-in user; returns the payload. */
export function post(page: Page, path: string, body: object): Promise<{ id: number; clubId: number }> {
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

/** A club that has just signed itself up, at its dashboard. */
export async function openClub(browser: Browser, served: Served, name: string): Promise<Page> {
  const page = await openPage(browser)
  await enter(page, served.url, 'register', {
    clubName: name,
    fullName: 'Sam Sailor',
    email: `${name.split(' ')[0]}@example.org`,
    password: 'wind and tide 7',
  })
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
