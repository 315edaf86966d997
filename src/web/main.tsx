import './ui/fonts.css'
import './ui/tokens.css'
import './ui/base.css'
import './ui/fields.css'
import './ui/badges.css'
import './ui/folds.css'
import './ui/icons.css'
import { QueryClientProvider } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { createRoot } from 'react-dom/client'
import { pageAt } from '../contract/page-paths.ts'
import { publicPageAt } from '../contract/public-pages.ts'
import { App } from './App.tsx'
import { queryClient } from './api/query-client.ts'
import { markSignedIn } from './layouts/mark-signed-in.ts'
import { Problem } from './layouts/Problem.tsx'
import { forgetReadOnSignOut } from './session/forget-read.ts'
import { takeApiQueryMsg } from './start/api-query-msg.ts'
import { startUp } from './start/start-up.ts'
import { showKept } from './ui/notices/notify.ts'

// The entry of the pages that the browser renders by itself: those of staff, and tickets on a device that has stored the files for them.

async function start(root: HTMLElement): Promise<void> {
  // In development nothing is rendered on a server.
  if (import.meta.env.DEV && (publicPageAt(window.location.pathname) || !pageAt(window.location.pathname)))
    return (await import('./rendering/take-over.tsx')).renderHere(root)
  startUp()
  forgetReadOnSignOut()
  showKept()
  // If the message was in the address, the page is reloading without it: nothing to show yet.
  if (takeApiQueryMsg()) return
  const { Pages } = await import('./MainPages.tsx')
  show(root, Pages)
}

function show(root: HTMLElement, Pages: ComponentType): void {
  // Used until the page sets its own title. If the server sent one, that is the page's.
  if (document.title === '') document.title = 'Turnout'
  createRoot(root).render(
    <App>
      <QueryClientProvider client={queryClient}>
        <Pages />
      </QueryClientProvider>
    </App>,
  )
}

markSignedIn()
const root = document.getElementById('root')
if (root)
  // The problem page is bundled with the entry, so it is available when nothing else is.
  start(root).catch((error: unknown) => show(root, () => <Problem error={error} resetErrorBoundary={() => {}} />))
