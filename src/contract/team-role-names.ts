import * as texts from '../texts/generated/teamRoles.ts'
import type { Message } from '../texts/language.ts'
import type { TeamRole } from './permissions.ts'

/** What each role of a team is called. */
export const teamRoleNames: Readonly<Record<TeamRole, Message>> = {
  owner: texts.owner,
  manager: texts.manager,
  treasurer: texts.treasurer,
  door: texts.doorHelper,
}
