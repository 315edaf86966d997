import type { Event } from '../../src/contract/event.ts'
import { type AdminCaller, makeCallerOf } from '../../src/server/access/caller.ts'
import { makeOwnEvent, type OwnEvent } from '../../src/server/access/own-event.ts'
import type { TestApp } from './start-app.ts'

/** Whoever has signed in with this token, and an event of their club, as the server passes them on once both are checked. */
export async function callerAt(
  app: TestApp,
  token: string,
  { id }: Pick<Event, 'id'>,
): Promise<{ caller: AdminCaller; own: OwnEvent }> {
  const caller = await makeCallerOf(app.deps.db)(token, app.clock.now)
  const own = caller && (await makeOwnEvent(app.deps.db)(caller, id))
  if (caller?.role !== 'admin' || !own) throw new Error('They were just made.')
  return { caller, own }
}
