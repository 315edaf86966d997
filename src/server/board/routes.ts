import { boardApi } from '../../contract/board.ts'
import type { Deps } from '../deps.ts'
import type { Implement } from '../http/implement.ts'
import { boardOf } from './board-of.ts'
import { reportPhone } from './report-phone.ts'

export function boardRoutes(implement: Implement, deps: Deps): void {
  implement(boardApi, {
    getBoard: async ({ event }) => ({ payload: await boardOf(deps, event) }),
    reportPhone: async ({ caller, input, userAgent }) => {
      await reportPhone(deps, caller, userAgent, input.payload)
      return { payload: null }
    },
  })
}
