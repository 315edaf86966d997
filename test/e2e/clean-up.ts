import { afterAll, afterEach } from 'vitest'
import { stopRemainingServers } from '../support/serve.ts'
import { closeRemainingBrowsers, noteAllShown } from './browser.ts'

afterEach(({ task }) => noteAllShown(task))

// Files of journeys share a process: what one leaves would run on beside the next.
afterAll(async () => {
  await closeRemainingBrowsers()
  await stopRemainingServers()
})
