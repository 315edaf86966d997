import type { boardApi } from '../../contract/board.ts'
import type { Input } from '../../contract/endpoint.ts'
import type { AdminCaller } from '../access/caller.ts'
import { deviceOf } from '../auth/device-of.ts'
import type { Deps } from '../deps.ts'
import * as queries from './queries.ts'

/** Stores the state of a phone at the door in place of its previous one. */
export async function reportPhone(
  { db, now }: Deps,
  caller: AdminCaller,
  userAgent: string,
  { device, practised, practisedAgoS, ...report }: Input<typeof boardApi.reportPhone>['payload'],
): Promise<void> {
  const row = {
    ...report,
    ...deviceOf(userAgent),
    phoneId: device.id,
    name: device.name,
    userId: caller.id,
    reportedAt: now(),
    practised: [...new Set(practised)],
    practisedAt: practisedAgoS === null ? null : new Date(now().getTime() - practisedAgoS * 1000),
  }
  if (await queries.replaceReport(db, row)) return
  await db.transaction().execute(async (tx) => {
    await queries.lockNewPhones(tx, row.eventId)
    await queries.addPhone(tx, row)
  })
}
