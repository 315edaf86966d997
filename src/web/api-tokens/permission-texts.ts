import type { Permission } from '../../contract/permissions.ts'
import * as texts from '../../texts/generated/apiTokens.ts'
import type { Message } from '../../texts/language.ts'

/** What a token can allow, in words. */
export const permissionTexts: Readonly<Record<Exclude<Permission, 'team'>, Message>> = {
  member: texts.listEvents,
  door: texts.readDoorList,
  tickets: texts.checkIn,
  redeem: texts.redeem,
  search: texts.searchPeople,
  'walk-ins': texts.addPeople,
  'take-money': texts.takeMoney,
  paper: texts.savePaperList,
  read: texts.readAttendees,
  attendees: texts.changeAttendees,
  export: texts.exportAttendees,
  events: texts.changeEvents,
  money: texts.refund,
  club: texts.changeClub,
}
