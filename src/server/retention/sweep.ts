import type { Deps } from '../deps.ts'
import { describeError } from '../describe-error.ts'
import { sweepOutbox } from '../mail/outbox.ts'
import { deletePortions } from '../records/portion-queries.ts'
import { OUTBOX_DAYS, rules } from './limit-queries.ts'
import { queueErasures } from './queries.ts'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR
/** Few enough that the rows are locked for a moment only. */
const PORTION = 1_000

/** Queues the deletion of personal data of the events that are due, and deletes what has been in a log for longer than its rule says. */
export async function sweepOld({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<void> {
  await queueErasures(db, now())
  const failed: unknown[] = []
  for (const { table, which, days } of rules)
    await deletePortions(db, table, which(new Date(now().getTime() - days * DAY)), PORTION).catch((error: unknown) =>
      failed.push(error),
    )
  // One that fails keeps none of the others from its turn.
  if (failed.length > 0) throw failed[0]
}

/** Sweeps now and once an hour; also the folder of mails that were not sent. Clear the interval to stop. */
export function keepOldSwept(deps: Deps, dataDir: string): NodeJS.Timeout {
  const warn = (error: unknown) => deps.log.warn({ err: describeError(error) }, 'sweep of old data failed')
  const sweep = () => {
    void sweepOld(deps).catch(warn)
    void sweepOutbox(dataDir, new Date(deps.now().getTime() - OUTBOX_DAYS * DAY)).catch(warn)
  }
  sweep()
  return setInterval(sweep, HOUR).unref()
}
