import { authApi } from '../../contract/auth.ts'
import { Refusal } from '../../contract/errors.ts'
import * as texts from '../../texts/generated/api.ts'
import type { Deps } from '../deps.ts'
import type { Implement } from '../http/implement.ts'
import { confirmAddress } from './confirm-address.ts'
import { deleteSession, deleteSessionById, deleteSessionsOf, findCurrentUser } from './queries.ts'
import { forgotPassword, resetPassword } from './reset-password.ts'
import { sessionsOf } from './sessions-of.ts'
import { signIn } from './sign-in.ts'
import { signUp } from './sign-up.ts'

export function authRoutes(implement: Implement, deps: Deps): void {
  implement(authApi, {
    signin: async ({ input, address, userAgent }) => {
      const { token, currentUser } = await signIn(deps, input, { address, userAgent })
      return { payload: { currentUser }, token }
    },
    register: async ({ input, address, userAgent, language }) => {
      const { token, currentUser } = await signUp(deps, input, { address, userAgent, language: language() })
      return { payload: { currentUser }, token }
    },
    forgotPassword: async ({ input, address }) => {
      await forgotPassword(deps, input.email, address)
      return { payload: null }
    },
    resetPassword: async ({ input, address }) => {
      await resetPassword(deps, input, address)
      return { payload: null, msg: texts.passwordSet }
    },
    confirmAddress: async ({ input, address }) => {
      await confirmAddress(deps, input.token, address)
      return { payload: null, msg: texts.addressConfirmed }
    },
    getCurrentUser: async ({ caller }) => {
      const user = await findCurrentUser(deps.db, caller.id, deps.now())
      // A session of a pass may have ended before the pass. Of people, a page stays as it is while they set up a second factor.
      const isLess = caller.role === 'admin' && (caller.pass !== null || caller.apiToken !== null)
      return { payload: isLess ? { ...user, permissions: [...caller.permissions] } : user }
    },
    getSessions: async ({ caller }) => ({ payload: await sessionsOf(deps, caller) }),
    endSession: async ({ caller, input }) => {
      if (!(await deleteSessionById(deps.db, caller.id, input.payload.id))) throw new Refusal('NOT_FOUND')
      return { payload: null, msg: texts.sessionEnded }
    },
    endOtherSessions: async ({ caller }) => {
      await deleteSessionsOf(deps.db, caller.id, caller.tokenHash)
      return { payload: null, msg: texts.otherSessionsEnded }
    },
    signout: async ({ caller }) => {
      await deleteSession(deps.db, caller.tokenHash)
      return { payload: null }
    },
  })
}
