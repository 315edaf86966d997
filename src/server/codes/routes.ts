import { codeApi } from '../../contract/codes.ts'
import * as texts from '../../texts/generated/api.ts'
import type { Deps } from '../deps.ts'
import type { Implement } from '../http/implement.ts'
import { listCodes } from './queries.ts'
import { removeCode, saveCode } from './save-code.ts'

export function codeRoutes(implement: Implement, deps: Deps): void {
  implement(codeApi, {
    getCodes: async ({ event }) => ({ payload: await listCodes(deps.db, event) }),
    saveCode: async ({ caller, event, input }) => ({
      payload: await saveCode(deps, caller, event, input.payload),
      msg: texts.saved,
    }),
    removeCode: async ({ caller, event, input }) => {
      await removeCode(deps, caller, event, input.payload.codeId)
      return { payload: null, msg: texts.codeRemoved }
    },
  })
}
