import type { FastifyInstance } from 'fastify'
import { appUserApi } from '../../contract/users.ts'
import type { Deps } from '../deps.ts'
import { implement } from '../http/implement.ts'
import { listAdmins } from './queries.ts'
import { saveUser } from './save-user.ts'

export function userRoutes(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, appUserApi, {
    save: async ({ caller, input }) => ({ payload: await saveUser(deps, caller, input.payload), msg: 'Saved.' }),
    getAppUsers: async ({ input }) => ({ payload: { admins: await listAdmins(deps.db, input.clubId) } }),
  })
}
