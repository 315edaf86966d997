import type { Payload } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import { registrationApi } from '../../contract/registrations.ts'
import { call } from '../api/call.ts'
import { keepNotice, notify } from '../ui/notices/notify.ts'
import type { Try } from './draft.ts'

// What hardly any registration needs, so that no page waits for it.

/** One of these tries had arrived: finds which, by sending them again with their key, and answers what it was answered. */
export async function findMade(
  tries: readonly Try[],
  mismatch: Refusal,
): Promise<Payload<typeof registrationApi.initRegistration>> {
  for (const earlier of tries) {
    try {
      const made = await call(registrationApi.initRegistration, earlier, { quiet: true })
      notify('info', 'Your first try had arrived. You are registered as you had filled it in then.')
      keepNotice()
      return made
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== mismatch.code) throw error
    }
  }
  throw mismatch
}
