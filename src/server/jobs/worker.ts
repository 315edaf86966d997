import type { JobRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { describeError } from '../describe-error.ts'
import { removeImages } from '../images/remove-images.ts'
import { type Loop, startLoop } from '../start-loop.ts'
import * as queries from './queries.ts'
import type { JobSteps } from './step.ts'

/** Does the next step of the job that has waited longest, in a transaction of its own; false when none is due. */
export async function doNextStep(deps: Deps, steps: JobSteps): Promise<boolean> {
  const { db, now, log } = deps
  const taken: JobRow[] = []
  try {
    const result = await db.transaction().execute(async (tx) => {
      const job = await queries.takeJob(tx, now())
      if (!job) return null
      taken.push(job)
      const { isDone, doneId = job.doneId, images = [] } = await steps[job.kind](tx, now(), job)
      if (isDone) await queries.finishJob(tx, job.id)
      else await queries.continueJob(tx, job.id, doneId, now())
      return images
    })
    if (result) await removeImages(deps, result)
    return result !== null
  } catch (error) {
    const [job] = taken
    if (!job) throw error
    const err = describeError(error)
    log.error({ err, jobId: job.id, kind: job.kind }, 'step of a job failed')
    const gapMs = Math.min(2 ** job.attempts * 1_000, queries.LONGEST_GAP_MS)
    await queries.postponeJob(db, job.id, new Date(now().getTime() + gapMs), err.message.slice(0, 300))
    return true
  }
}

/** Works on jobs until none is due. Any number of servers may do so at once; a step that is interrupted is done again. */
export async function workOnJobs(deps: Deps, steps: JobSteps): Promise<void> {
  while (await doNextStep(deps, steps));
}

/** Works on jobs in the background until stopped; `stop` waits for the step under way. */
export function startJobWorker(deps: Deps, steps: JobSteps): Loop {
  return startLoop(deps, 'job worker', () => doNextStep(deps, steps))
}
