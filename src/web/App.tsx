import { type ReactNode, StrictMode } from 'react'
import { Notifications } from './ui/notices/Notifications.tsx'
import { ProgressBar } from './ui/notices/ProgressBar.tsx'

/** The frame around every page. */
export function App({ children }: { children: ReactNode }) {
  return (
    <StrictMode>
      <ProgressBar />
      {children}
      <Notifications />
    </StrictMode>
  )
}
