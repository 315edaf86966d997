import { authApi } from '../../contract/auth.ts'
import * as texts from '../../texts/generated/api.ts'
import type { Deps } from '../deps.ts'
import type { Implement } from '../http/implement.ts'
import { deleteSession, findCurrentUser } from './queries.ts'
import { forgotPassword, resetPassword } from './reset-password.ts'
import { signIn } from './sign-in.ts'
import { signUp } from './sign-up.ts'

export function authRoutes(implement: Implement, deps: Deps): void {
  implement(authApi, {
    signin: async ({ input, address }) => {
      const { token, currentUser } = await signIn(deps, input, address)
      return { payload: { currentUser }, token }
    },
    register: async ({ input, address, language }) => {
      const { token, currentUser } = await signUp(deps, input, { address, language: language() })
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
    getCurrentUser: async ({ caller }) => ({ payload: await findCurrentUser(deps.db, caller.id) }),
    signout: async ({ caller }) => {
      await deleteSession(deps.db, caller.tokenHash)
      return { payload: null }
    },
  })
}
