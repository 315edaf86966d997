import type { Payload } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import { registrationApi } from '../../contract/registrations.ts'
import * as texts from '../../texts/generated/registration.ts'
import { call } from '../api/call.ts'
import { keepNotice, notify } from '../ui/notices/notify.ts'
import type { Try } from './draft.ts'

// Loaded on demand, because hardly any registration needs it.

/** One of these tries had arrived: finds it by sending them again with their key, and returns its answer. */
export async function findMade(
  tries: readonly Try[],
  mismatch: Refusal,
): Promise<Payload<typeof registrationApi.initRegistration>> {
  for (const earlier of tries) {
    try {
      const made = await call(registrationApi.initRegistration, earlier, { quiet: true })
      notify('info', texts.firstTryArrived())
      keepNotice()
      return made
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== mismatch.code) throw error
    }
  }
  throw mismatch
}
