import { afterAll } from 'vitest'
import { stopRemainingServers } from '../support/serve.ts'
import { closeRemainingBrowsers } from './browser.ts'

// Files of journeys share a process: what one leaves would run on beside the next.
afterAll(async () => {
  await closeRemainingBrowsers()
  await stopRemainingServers()
})
