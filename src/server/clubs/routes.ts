import { clubApi } from '../../contract/clubs.ts'
import { Refusal } from '../../contract/errors.ts'
import * as texts from '../../texts/generated/api.ts'
import type { Deps } from '../deps.ts'
import type { Implement } from '../http/implement.ts'
import { readClub } from '../records/shared-reads.ts'
import { findListed, listAlerts, listClubs } from './queries.ts'
import { removeClub } from './remove-club.ts'
import { saveClub } from './save-club.ts'
import { saveCover } from './save-cover.ts'

const WEEK_MS = 7 * 24 * 60 * 60_000
const RECENT_MS = 30 * 24 * 60 * 60_000

export function clubRoutes(implement: Implement, deps: Deps): void {
  const { db, now } = deps
  const after = (ms: number) => new Date(now().getTime() + ms)
  implement(clubApi, {
    getAllClubs: async () => ({
      payload: await listClubs(db, { now: now(), soon: after(WEEK_MS), recently: after(-RECENT_MS) }),
    }),
    getClub: async ({ input }) => {
      const club = await readClub(db, input.clubId)
      if (!club) throw new Refusal('NOT_FOUND')
      return { payload: club }
    },
    findClubs: async ({ input }) => ({ payload: await findListed(db, input.name) }),
    saveCover: async ({ caller, input, upload }) => ({
      payload: await saveCover(deps, { caller, clubId: input.clubId, upload, remove: input.removeCover ?? false }),
      msg: texts.saved,
    }),
    save: async ({ caller, club, input, upload }) => ({
      payload: await saveClub(deps, caller, club, input, upload),
      msg: texts.saved,
    }),
    removeClub: async ({ caller, input }) => ({
      payload: await removeClub(deps, caller, input.clubId),
      msg: texts.removed,
    }),
    getNeeds: async ({ club }) => ({
      payload: await listAlerts(db, club.id, now(), after(WEEK_MS)),
    }),
  })
}
