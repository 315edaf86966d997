import type { FastifyInstance } from 'fastify'
import { clubApi } from '../../contract/clubs.ts'
import { Refusal } from '../../contract/errors.ts'
import type { Deps } from '../deps.ts'
import { implement } from '../http/implement.ts'
import { findClub, listClubs } from './queries.ts'
import { saveClub } from './save-club.ts'

export function clubRoutes(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, clubApi, {
    getAllClubs: async () => ({ payload: await listClubs(deps.db) }),
    getClub: async ({ input }) => {
      const club = await findClub(deps.db, input.clubId)
      if (!club) throw new Refusal('NOT_FOUND')
      return { payload: club }
    },
    save: async ({ caller, club, input }) => ({ payload: await saveClub(deps, caller, club, input), msg: 'Saved.' }),
  })
}
