import { setTimeout as sleep } from 'node:timers/promises'
import type { Books } from './books.ts'
import { Fault } from './fault.ts'
import { readForm } from './form.ts'
import { afterPaying, noPage, payPage } from './pay-page.ts'
import { findSession, paySession } from './sessions.ts'

/** The longest wait for the webhook's answer before redirecting, as on Stripe's page, in ms. */
const mostWaitMs = 10_000

export interface PageAnswer {
  status: number
  body: string
  headers: Record<string, string>
}

/** Serves the pages that people see: `/pay/:id`, and its two buttons. */
export async function answerPage(books: Books, method: string, path: string, query: string): Promise<PageAnswer> {
  const [, id = '', action] = /^\/pay\/([^/]+)(\/decline)?$/.exec(path) ?? []
  const session = sessionOrNull(books, id)
  if (!session) return html(404, noPage())
  const own = `/pay/${session.id}`
  if (method === 'GET' && !action) return html(200, payPage(session, readForm(query).has('refused')))
  if (method !== 'POST') return html(405, noPage())
  if (action) return seeOther(`${own}?refused=1`)
  if (session.status === 'open') {
    const patience = new AbortController()
    const waited = sleep(mostWaitMs, undefined, { signal: patience.signal, ref: false }).catch(() => {})
    await Promise.race([paySession(books, session), waited])
    patience.abort()
  }
  // Also after a second click: the session was paid once.
  return seeOther(session.status === 'complete' ? (afterPaying(session) ?? own) : own)
}

function sessionOrNull(books: Books, id: string) {
  try {
    return findSession(books, id)
  } catch (fault) {
    if (fault instanceof Fault) return null
    throw fault
  }
}

function html(status: number, body: string): PageAnswer {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'",
    'cache-control': 'no-store',
  }
  return { status, body, headers }
}

function seeOther(location: string): PageAnswer {
  // Node refuses a header with characters beyond Latin-1; `URL` writes them as %XX.
  const encoded = location.startsWith('/') ? location : new URL(location).href
  return { status: 303, body: '', headers: { location: encoded, 'cache-control': 'no-store' } }
}
