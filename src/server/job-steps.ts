import { removeClubStep } from './clubs/remove-club.ts'
import { callOffStep } from './events/call-off.ts'
import { removeEventStep } from './events/remove-event.ts'
import type { JobSteps } from './jobs/step.ts'
import { eraseEventStep } from './retention/erase-event.ts'

/** The function that does one step, for each kind of job. */
export const jobSteps: JobSteps = {
  'call off event': callOffStep,
  'remove event': removeEventStep,
  'remove club': removeClubStep,
  'erase event': eraseEventStep,
}
