import './ui/fonts.css'
import './ui/tokens.css'
import './ui/base.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ComponentType, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/query-client.ts'
import { readToken } from './api/token.ts'
import { takeApiQueryMsg } from './api-query-msg.ts'
import { Problem } from './layouts/Problem.tsx'
import { deleteStaffTickets, hasTickets } from './offline/ticket-caches.ts'
import { reloadWhenGone } from './reload-when-gone.ts'
import { Notifications } from './ui/notices/Notifications.tsx'
import { showKept } from './ui/notices/notify.ts'
import { ProgressBar } from './ui/notices/ProgressBar.tsx'

/** A club's public pages come without what only staff need, so that they open quickly on a phone. */
function loadPages(): Promise<{ Pages: ComponentType }> {
  // Requested in parallel with the pages around it.
  if (/^\/club\/[^/]+\/event\/?$/.test(window.location.pathname)) import('./events/ClubPage.tsx').catch(() => {})
  return /^\/club\/[^/]+\/event(\/|$)/.test(window.location.pathname)
    ? import('./PublicPages.tsx')
    : import('./MainPages.tsx')
}

function show(root: HTMLElement, Pages: ComponentType): void {
  // Until the page has set its own. The server's, where it sent one, is the page's.
  if (document.title === '') document.title = 'Turnout'
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <ProgressBar />
        <Pages />
        <Notifications />
      </QueryClientProvider>
    </StrictMode>,
  )
}

reloadWhenGone()
showKept()
// Not awaited, and rarely needed. An answer that arrived as a session ended may have been stored after it.
;(readToken() === null ? deleteStaffTickets() : Promise.resolve())
  .then(hasTickets)
  .then(async (has) => has && (await import('./offline/delete-past-tickets.ts')).deletePastTickets())
  .catch(() => {})

const root = document.getElementById('root')
// When the message was in the address, the page is loading again without it: nothing to show yet.
if (root && !takeApiQueryMsg())
  loadPages().then(
    ({ Pages }) => show(root, Pages),
    // The problem page is with the entry, so it is there when nothing else is.
    (error: unknown) => show(root, () => <Problem error={error} resetErrorBoundary={() => {}} />),
  )
