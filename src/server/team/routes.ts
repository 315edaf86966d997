import { teamApi } from '../../contract/team.ts'
import * as texts from '../../texts/generated/api.ts'
import type { Deps } from '../deps.ts'
import type { Implement } from '../http/implement.ts'
import { acceptInvitation, declineInvitation, readInvitation } from './accept.ts'
import { invite, inviteAgain } from './invite.ts'

export function teamRoutes(implement: Implement, deps: Deps): void {
  implement(teamApi, {
    invite: async ({ caller, club, input }) => ({
      payload: await invite(deps, caller, club, input.payload),
      msg: texts.invitationSent,
    }),
    inviteAgain: async ({ caller, club, input }) => ({
      payload: await inviteAgain(deps, caller, club, input.payload.id),
      msg: texts.invitationSent,
    }),
    readInvitation: async ({ input, address }) => ({ payload: await readInvitation(deps, input.token, address) }),
    declineInvitation: async ({ input, address }) => {
      await declineInvitation(deps, input.token, address)
      return { payload: null }
    },
    acceptInvitation: async ({ input, address, userAgent, askedLanguage }) => {
      const { token, currentUser } = await acceptInvitation(deps, input, {
        address,
        userAgent,
        language: askedLanguage(),
      })
      return { payload: { currentUser }, token }
    },
  })
}
