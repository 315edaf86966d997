import type { JobRow, Tx } from '../db/schema.ts'
import type { ImageFile } from '../images/remove-images.ts'

/** The result of one step of a job. */
export interface StepResult {
  isDone: boolean
  /** The last row processed, where the job goes through rows in the order of their ids. */
  doneId?: number
  /** Images that nobody needs any more. */
  images?: ImageFile[]
}

/** The step of each kind of job. */
export type JobSteps = Readonly<Record<JobRow['kind'], (tx: Tx, now: Date, job: JobRow) => Promise<StepResult>>>

/** This many registrations are deleted, with their dependent rows, in well under 200 ms. */
export const CHUNK = 250
