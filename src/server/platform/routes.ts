import { platformApi } from '../../contract/platform.ts'
import { backupHealth } from '../backup/nightly/backup-health.ts'
import type { Deps } from '../deps.ts'
import type { Implement } from '../http/implement.ts'
import { countMails } from '../mail/queries.ts'
import { findPause } from '../mail/state-queries.ts'

export function platformRoutes(implement: Implement, deps: Deps): void {
  implement(platformApi, {
    getHealth: async () => {
      const [{ queued, failed, oldest }, paused, backup] = await Promise.all([
        countMails(deps.db),
        findPause(deps.db),
        backupHealth(deps),
      ])
      return { payload: { mail: { paused, queued, failed, oldestQueuedAt: oldest }, backup } }
    },
  })
}
