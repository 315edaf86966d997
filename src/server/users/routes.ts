import { Refusal } from '../../contract/errors.ts'
import { appUserApi } from '../../contract/users.ts'
import * as texts from '../../texts/generated/api.ts'
import type { Deps } from '../deps.ts'
import type { Implement } from '../http/implement.ts'
import { findClub } from '../records/club-queries.ts'
import { makePasswordLink } from './make-password-link.ts'
import { listAdmins } from './queries.ts'
import { removeUser } from './remove-user.ts'
import { saveUser } from './save-user.ts'

export function userRoutes(implement: Implement, deps: Deps): void {
  implement(appUserApi, {
    save: async ({ caller, input, upload }) => ({
      payload: await saveUser(deps, caller, input.payload, upload),
      msg: texts.saved,
    }),
    makePasswordLink: async ({ caller, input }) => ({
      payload: await makePasswordLink(deps, caller, input.payload.id),
    }),
    removeAppUser: async ({ caller, club, input }) => {
      if (!club) throw new Refusal('NOT_FOUND')
      return { payload: await removeUser(deps, caller, club, input), msg: texts.removed }
    },
    getAppUsers: async ({ input }) => ({
      payload: {
        admins: await listAdmins(deps.db, input.clubId),
        needsSecondFactor: (await findClub(deps.db, input.clubId))?.needsSecondFactor ?? false,
      },
    }),
  })
}
