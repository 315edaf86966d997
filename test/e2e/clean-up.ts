import { afterAll } from 'vitest'
import { stopLeft } from '../support/serve.ts'
import { closeLeft } from './browser.ts'

// Files of journeys share a process: what one leaves would run on beside the next.
afterAll(async () => {
  await closeLeft()
  await stopLeft()
})
