import type { PassAbility } from '../../contract/permissions.ts'
import * as texts from '../../texts/generated/abilities.ts'
import type { Message } from '../../texts/language.ts'

/** What a helper pass can allow, in words. */
export const abilityTexts: Readonly<Record<PassAbility, Message>> = {
  tickets: texts.tickets,
  redeem: texts.redeem,
  search: texts.search,
  'walk-ins': texts.walkIns,
  'take-money': texts.takeMoney,
}
