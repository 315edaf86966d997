import type { Payload } from '../../../contract/endpoint.ts'
import type { platformApi } from '../../../contract/platform.ts'
import type { Deps } from '../../deps.ts'
import { findBackupState } from './state-queries.ts'

/** Two nights may fail before somebody has to look. */
const LATE_MS = 2 * 24 * 60 * 60_000

/** What the operator should know of the nightly backups. */
export async function backupHealth({
  db,
  now,
  settings,
}: Pick<Deps, 'db' | 'now' | 'settings'>): Promise<Payload<typeof platformApi.getHealth>['backup']> {
  const { since, goodAt, checked, error } = await findBackupState(db)
  const isOn = settings.backups
  const ageMs = now().getTime() - (goodAt ?? since).getTime()
  return { isOn, isLate: isOn && ageMs > LATE_MS, lastGoodAt: goodAt, checked, error: isOn ? error : null }
}
