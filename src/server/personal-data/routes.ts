import { personalDataApi } from '../../contract/personal-data.ts'
import * as texts from '../../texts/generated/personalData.ts'
import type { Deps } from '../deps.ts'
import type { Implement } from '../http/implement.ts'
import { deleteRecords, findPersonalRecords } from './records.ts'
import { personSheet } from './sheet.ts'

export function personalDataRoutes(implement: Implement, deps: Deps): void {
  implement(personalDataApi, {
    findRecords: async ({ club, input: { search } }) => ({ payload: await findPersonalRecords(deps, club, search) }),
    downloadRecords: async ({ club, input: { keys }, language }) => ({
      payload: null,
      file: await personSheet(deps, club, keys, language()),
    }),
    deleteRecords: async ({ caller, club, input }) => {
      const payload = await deleteRecords(deps, caller, club, input.payload.keys)
      return { payload, msg: () => texts.deleted({ count: payload.deleted }) }
    },
  })
}
