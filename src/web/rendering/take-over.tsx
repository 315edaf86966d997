import { useEffect, useRef, useState } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { isRefused, Refusal } from '../../contract/errors.ts'
import type { Answered, Submitted } from '../../contract/page-renderer.ts'
import { App } from '../App.tsx'
import { call } from '../api/call.ts'
import { noteServerTime } from '../api/server-time.ts'
import { Problem } from '../layouts/Problem.tsx'
import { type OtherPages, PublicPage } from '../PublicPages.tsx'
import { isNoTicket } from '../registrations/ticket/is-no-ticket.ts'
import { RenderedPageProvider } from '../rendered-page.ts'
import { takeApiQueryMsg } from '../start/api-query-msg.ts'
import { startUp } from '../start/start-up.ts'
import { Loading } from '../ui/Loading.tsx'
import { showKept } from '../ui/notices/notify.ts'
import type { Typed } from './keep-typed.ts'
import { lazyPages, pagesFor } from './other-pages.ts'
import type { PageData } from './page-data.ts'
import { oneByOne, readFrom, readPage } from './read-page.ts'

/** The data that the server put into the page beside its HTML; see `PageToRender`. */
export interface Rendered {
  answers: Answered[]
  /** The server's time when it rendered the page, at most a second or so ago. */
  now: string
  stamp: string
  submitted: Submitted | null
}

/** Data older than this are read again when somebody comes back to the page, in ms. */
const FRESH_MS = 10_000

/** Hydrates the page that the server rendered. Resolves when its buttons work. */
export async function takeOver(root: HTMLElement, rendered: Rendered, typed: Typed): Promise<void> {
  startUp()
  showKept()
  // If the message was in the address, the page is reloading without it.
  if (takeApiQueryMsg()) return
  const { answers, now, stamp, submitted } = rendered
  noteServerTime(timeOfPage() ?? now)
  const data = await readPage(here(), readFrom(oneByOne(answers)))
  const others = await pagesFor(data)
  typed.save()
  await new Promise<void>((resolve) => {
    hydrateRoot(
      root,
      <App>
        <LivePage data={data} others={others} stamp={stamp} submitted={submitted} onRunning={resolve} />
      </App>,
    )
  })
  typed.restore()
}

/** Renders a public page in the browser, if the server could not or this browser's user may see more than the public. */
export function renderHere(root: HTMLElement): void {
  startUp()
  showKept()
  // If the message was in the address, the page is reloading without it: nothing to show yet.
  if (takeApiQueryMsg()) return
  const app = createRoot(root)
  const show = async () => {
    app.render(
      <App>
        <Loading />
      </App>,
    )
    try {
      // The page of a ticket or an order says itself that there is none.
      const saysMissing = /^\/(qr|order)\//.test(here())
      const data = await readPage(here(), (endpoint, input) => call(endpoint, input, { quiet: true, saysMissing }))
      app.render(
        <App>
          <LivePage data={data} others={lazyPages} stamp="" submitted={null} />
        </App>,
      )
    } catch (error) {
      app.render(
        <App>
          <Problem error={error} resetErrorBoundary={() => void show()} />
        </App>,
      )
    }
  }
  void show()
}

interface LiveProps extends Pick<Rendered, 'stamp' | 'submitted'> {
  data: PageData
  others: OtherPages
  onRunning?: () => void
}

/** A public page in the browser that can read its data again. */
function LivePage({ data: first, others, stamp, submitted, onRunning }: LiveProps) {
  const [data, setData] = useState(first)
  const readAt = useRef(Date.now())
  const [refresh] = useState(() => async () => {
    const next = await readAgain()
    readAt.current = Date.now()
    setData(next)
  })
  useEffect(() => {
    const look = () => {
      if (document.visibilityState !== 'visible' || Date.now() - readAt.current < FRESH_MS) return
      refresh().catch((error: unknown) => {
        // Removed meanwhile: after the reload the server says so.
        if (error instanceof Refusal && isNoTicket(error)) window.location.reload()
      })
    }
    document.addEventListener('visibilitychange', look)
    window.addEventListener('focus', look)
    window.addEventListener('pageshow', look)
    return () => {
      document.removeEventListener('visibilitychange', look)
      window.removeEventListener('focus', look)
      window.removeEventListener('pageshow', look)
    }
  }, [refresh])
  const page = { stamp, submitted, address: here(), refresh, ...(onRunning && { onRunning }) }
  return (
    <RenderedPageProvider value={page}>
      <PublicPage data={data} others={others} />
    </RenderedPageProvider>
  )
}

/** Waits before the next tries to read a page again, in ms. */
const WAITS_MS = [1_000, 4_000]

/** Reads the page's data. After something was changed, what is shown is wrong until it was read, so failures are retried. */
async function readAgain(waits: readonly number[] = WAITS_MS): Promise<PageData> {
  try {
    return await readPage(here(), (endpoint, input) => call(endpoint, input, { background: true }))
  } catch (error) {
    const [wait, ...others] = waits
    if (wait === undefined || !(error instanceof Refusal) || isRefused(error)) throw error
    await new Promise((resolve) => setTimeout(resolve, wait))
    return readAgain(others)
  }
}

const here = () => window.location.pathname + window.location.search

/** The current time by the server's clock, from this page's response; null if the browser does not expose it. */
function timeOfPage(): string | null {
  const [page] = performance.getEntriesByType('navigation')
  if (!(page instanceof PerformanceNavigationTiming)) return null
  const sent = Date.parse(page.serverTiming?.find(({ name }) => name === 'now')?.description ?? '')
  return Number.isNaN(sent) ? null : new Date(sent + performance.now() - page.responseStart).toISOString()
}
