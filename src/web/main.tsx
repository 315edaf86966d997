import '@fontsource/poppins/latin-400.css'
import '@fontsource/poppins/latin-500.css'
import '@fontsource/poppins/latin-600.css'
import '@fontsource/poppins/latin-ext-400.css'
import '@fontsource/poppins/latin-ext-600.css'
import './ui/base.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router'
import { queryClient } from './api/query-client.ts'
import { takeApiQueryMsg } from './api-query-msg.ts'
import { router } from './router.tsx'
import { Notifications } from './ui/Notifications.tsx'
import { ProgressBar } from './ui/ProgressBar.tsx'

const root = document.getElementById('root')
// When the message was in the address, the page is loading again without it: nothing to show yet.
if (root && !takeApiQueryMsg()) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <ProgressBar />
        <RouterProvider router={router} />
        <Notifications />
      </QueryClientProvider>
    </StrictMode>,
  )
}
