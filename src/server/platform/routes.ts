import { Refusal } from '../../contract/errors.ts'
import { platformApi } from '../../contract/platform.ts'
import { backupHealth } from '../backup/nightly/backup-health.ts'
import type { Deps } from '../deps.ts'
import type { BackgroundWork } from '../http/health.ts'
import type { Implement } from '../http/implement.ts'
import { runJobNow } from '../jobs/queries.ts'
import { countMails } from '../mail/queries.ts'
import { findPause } from '../mail/state-queries.ts'
import { readStatus } from './status.ts'
import { sendTestMail } from './test-mail.ts'

export function platformRoutes(implement: Implement, deps: Deps, work: BackgroundWork): void {
  implement(platformApi, {
    getHealth: async () => {
      const [{ queued, failed, oldest }, paused, backup] = await Promise.all([
        countMails(deps.db),
        findPause(deps.db),
        backupHealth(deps),
      ])
      return { payload: { mail: { paused, queued, failed, oldestQueuedAt: oldest }, backup } }
    },
    getStatus: async () => ({ payload: await readStatus(deps, work) }),
    sendTestMail: async ({ caller }) => ({ payload: await sendTestMail(deps, caller) }),
    retryJob: async ({ input: { jobId } }) => {
      if (!(await runJobNow(deps.db, jobId, deps.now()))) throw new Refusal('NOT_FOUND')
      return { payload: null }
    },
  })
}
