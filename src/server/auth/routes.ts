import type { FastifyInstance } from 'fastify'
import { authApi } from '../../contract/auth.ts'
import type { Deps } from '../deps.ts'
import { implement } from '../http/implement.ts'
import { deleteSession } from './queries.ts'
import { signIn } from './sign-in.ts'

export function authRoutes(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, authApi, {
    signin: async ({ input, address }) => {
      const { token, currentUser } = await signIn(deps, input, address)
      return { payload: { currentUser }, token }
    },
    signout: async ({ caller }) => {
      await deleteSession(deps.db, caller.tokenHash)
      return { payload: null }
    },
  })
}
