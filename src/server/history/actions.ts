import * as z from 'zod/mini'
import { type DoorWay, doorWay } from '../../contract/door-money.ts'
import { formatAmount } from '../../contract/values/money.ts'
import * as texts from '../../texts/generated/historyWords.ts'
import { isLanguage, type Message } from '../../texts/language.ts'
import { nameOfLanguage } from '../../texts/numbers.ts'
import type { HistoryRow } from './queries.ts'

type Logged = Pick<HistoryRow, 'subject' | 'action' | 'before' | 'after'>

const plain: Readonly<Record<string, Message>> = {
  'event added': texts.eventAdded,
  'event removed': texts.eventRemoved,
  'event ticket types edited': texts.ticketTypesEdited,
  'event codes edited': texts.codesEdited,
  'form edited': texts.formEdited,
  'extras added': texts.voucherAdded,
  'extras edited': texts.voucherEdited,
  'extras removed': texts.voucherOffSale,
  'extras put first': texts.vouchersSorted,
  'registration registered': texts.attendeeAdded,
  'registration added': texts.attendeeAdded,
  'registration corrected': texts.attendeeCorrected,
  'registration confirmed': texts.registrationConfirmed,
  'registration confirmed with the order': texts.registrationConfirmed,
  'registration cancelled': texts.registrationCancelled,
  'registration removed': texts.registrationRemoved,
  'registration ticket sent again': texts.ticketSentAgain,
  'registration data deleted': texts.personDeleted,
  'event data of a person deleted': texts.personDeleted,
  'registration voucher given out against the list': texts.voucherAgainst,
  'checkin checked in': texts.checkedIn,
  'checkin checked in from paper': texts.checkedInFromPaper,
  'checkin went out': texts.wentOut,
  'checkin came back': texts.cameBack,
  'checkin exit undone': texts.exitUndone,
  'checkin return undone': texts.returnUndone,
  'checkin undone': texts.checkinUndone,
  'checkin let in against the list': texts.letInAgainst,
  'club added': texts.clubAdded,
  'club members replaced': texts.membersReplaced,
  'club signed up': texts.clubSignedUp,
  'club imported': texts.clubImported,
  'club edited': texts.clubEdited,
  'user added': texts.memberAdded,
  'user edited': texts.memberEdited,
  'user password changed': texts.passwordChanged,
  'user password reset by link': texts.passwordReset,
  'user link for a password made': texts.passwordLinkMade,
  'user role changed': texts.roleChanged,
  'user removed': texts.memberRemoved,
  'user invited': texts.memberInvited,
  'user invited again': texts.memberInvitedAgain,
  'user joined': texts.memberJoined,
  'user second factor on': texts.factorOn,
  'user second factor off': texts.factorOff,
  'user second factor reset': texts.factorReset,
  'user recovery codes made': texts.recoveryCodesMade,
  'user passkey added': texts.passkeyAdded,
  'user passkey removed': texts.passkeyRemoved,
  'user code app added': texts.codeAppAdded,
  'user code app removed': texts.codeAppRemoved,
  'user recovery code used': texts.recoveryCodeUsed,
  'club second factor required': texts.factorRequired,
  'club second factor not required': texts.factorNotRequired,
  'user pass made': texts.passMade,
  'user pass renewed': texts.passRenewed,
  'user pass revoked': texts.passRevoked,
  'user too many wrong short codes': texts.wrongCodes,
}

const withStatus = z.object({ status: z.string() })
const withLanguage = z.object({ language: z.string() })
const withName = z.object({ name: z.string() })
const withCount = z.object({ count: z.number() })
const withAmount = z.object({ amount: z.number() })
const withMoney = z.object({ way: doorWay, amount: z.number() })
const withUnits = z.object({ units: z.array(z.object({ name: z.string(), count: z.number() })) })

/** What was done, in words; what another version has logged is only said to be a change. */
export function actionOf({ subject, action, before, after }: Logged, currency: string): string {
  const logged = `${subject} ${action}`
  if (logged === 'event edited') return eventEdited(before, after)
  if (logged === 'event places for walk-ins') return texts.walkInPlaces({ phone: nameIn(after) })
  if (logged === 'event places of a lost phone') return texts.walkInPlacesLost({ phone: nameIn(after) })
  if (logged === 'event translated') return eventTranslated(after)
  if (action === 'refunds tried again') return refundsTriedAgain(after)
  if (logged === 'user API token made') return texts.tokenMade({ token: nameIn(after) })
  if (logged === 'user API token revoked') return texts.tokenRevoked({ token: nameIn(before) })
  if (logged in ofWebhooks) return ofWebhooks[logged]?.({ webhook: nameIn(after) }) ?? texts.changed()
  if (logged === 'registration refund') return refunded(after, currency)
  if (logged in moneyTexts) return moneyTaken(logged, after, currency)
  if (logged in withUnitsTexts) return unitsChanged(logged, after)
  return plain[logged]?.() ?? texts.changed()
}

const ofWebhooks: Readonly<Record<string, (values: { webhook: string }) => string>> = {
  'club webhook added': texts.webhookAdded,
  'club webhook edited': texts.webhookEdited,
  'club webhook secret replaced': texts.webhookSecretReplaced,
  'club webhook paused': texts.webhookPaused,
  'club webhook resumed': texts.webhookResumed,
  'club webhook removed': texts.webhookRemoved,
}

const nameIn = (logged: unknown): string => z.safeParse(withName, logged).data?.name ?? ''

/** Cancelling and publishing an event are edits of its status. */
function eventEdited(before: unknown, after: unknown): string {
  const [old, now] = [z.safeParse(withStatus, before).data?.status, z.safeParse(withStatus, after).data?.status]
  if (old === now) return texts.eventEdited()
  if (now === 'cancelled') return texts.eventCancelled()
  return now === 'published' ? texts.eventPublished() : texts.eventEdited()
}

function eventTranslated(after: unknown): string {
  const { language = '' } = z.safeParse(withLanguage, after).data ?? {}
  return isLanguage(language) ? texts.eventTranslated({ name: nameOfLanguage(language) }) : texts.eventEdited()
}

function refundsTriedAgain(after: unknown): string {
  const { count = 0 } = z.safeParse(withCount, after).data ?? {}
  return texts.refundsTriedAgain({ count })
}

function refunded(after: unknown, currency: string): string {
  const { data } = z.safeParse(withAmount, after)
  return data ? texts.refunded({ amount: formatAmount(data.amount, currency) }) : texts.changed()
}

const moneyTexts: Readonly<Record<string, (values: { way: DoorWay; amount: string }) => string>> = {
  'registration paid at the door': texts.paidAtDoor,
  'registration payment at the door undone': texts.doorPaymentUndone,
}

function moneyTaken(logged: string, after: unknown, currency: string): string {
  const { data } = z.safeParse(withMoney, after)
  return (
    (data && moneyTexts[logged]?.({ way: data.way, amount: formatAmount(data.amount, currency) })) ?? texts.changed()
  )
}

const withUnitsTexts: Readonly<Record<string, (values: { units: string }) => string>> = {
  'registration voucher redeemed': texts.redeemed,
  'registration redemption undone': texts.redemptionUndone,
  'registration vouchers given': texts.vouchersGiven,
}

function unitsChanged(logged: string, after: unknown): string {
  const { data } = z.safeParse(withUnits, after)
  const units = (data?.units ?? []).map(({ name, count }) => `${count} × ${name}`).join(', ')
  return withUnitsTexts[logged]?.({ units }) ?? texts.changed()
}
