import { clubMemberApi } from '../../contract/club-members.ts'
import * as texts from '../../texts/generated/api.ts'
import type { Deps } from '../deps.ts'
import type { Implement } from '../http/implement.ts'
import { readMemberList, saveMembers } from './save-members.ts'

export function clubMemberRoutes(implement: Implement, deps: Deps): void {
  implement(clubMemberApi, {
    getMemberList: async ({ club }) => ({ payload: await readMemberList(deps, club.id) }),
    saveMembers: async ({ caller, club, input }) => ({
      payload: await saveMembers(deps, caller, club, input.payload),
      msg: texts.saved,
    }),
  })
}
