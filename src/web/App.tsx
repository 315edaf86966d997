import { type ReactNode, StrictMode } from 'react'
import { Notifications } from './ui/notices/Notifications.tsx'
import { ProgressBar } from './ui/notices/ProgressBar.tsx'

/** What is around every page. */
export function App({ children }: { children: ReactNode }) {
  return (
    <StrictMode>
      <ProgressBar />
      {children}
      <Notifications />
    </StrictMode>
  )
}
