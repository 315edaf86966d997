import { confirmAddressMail } from './auth/confirm-address-mail.ts'
import { emailChangedMail } from './auth/email-changed-mail.ts'
import { passwordResetMail } from './auth/password-reset-mail.ts'
import type { MailRow } from './db/schema.ts'
import type { Deps } from './deps.ts'
import type { Claimed } from './mail/claim-queries.ts'
import type { Composed, Together, Words } from './mail/composed.ts'
import { eventChangedMail } from './registrations/event-changed-mail.ts'
import { handedOnMail } from './registrations/handed-on-mail.ts'
import {
  eventCancelledMail,
  placeGivenBackMail,
  refundedMail,
  registrationCancelledMail,
} from './registrations/news-mails.ts'
import { ticketMail } from './registrations/ticket-mail.ts'
import { factorMail } from './security/factor-mail.ts'
import { invitationMail } from './team/invitation-mail.ts'

const together = {
  ticket: ticketMail,
  'event changed': eventChangedMail,
} as const satisfies Partial<Record<MailRow['kind'], (deps: Deps, rows: readonly MailRow[]) => Promise<Together>>>

const alone = {
  'event cancelled': eventCancelledMail,
  'registration cancelled': registrationCancelledMail,
  'place given back': placeGivenBackMail,
  'password reset': passwordResetMail,
  'email changed': emailChangedMail,
  'confirm address': confirmAddressMail,
  invitation: invitationMail,
  'second factor reset': factorMail('second factor reset'),
  'second factor on': factorMail('second factor on'),
  'second factor off': factorMail('second factor off'),
  'recovery codes made': factorMail('recovery codes made'),
  'passkey added': factorMail('passkey added'),
  'passkey removed': factorMail('passkey removed'),
  'code app added': factorMail('code app added'),
  'code app removed': factorMail('code app removed'),
  'API token made': factorMail('API token made'),
  refunded: refundedMail,
  'ticket handed on': handedOnMail,
} as const satisfies Record<
  Exclude<MailRow['kind'], keyof typeof together>,
  (deps: Deps, row: MailRow) => Promise<Words | null>
>

/** The mail for a row of the queue and those joined to it, from the current data. */
export async function composeMail(deps: Deps, { lead, followers }: Claimed): Promise<Composed> {
  const rows = [lead, ...followers]
  const composed = await composeRows(deps, lead, rows)
  const told = composed?.told.map(({ id }) => id) ?? []
  // The lead's id also when its own ticket was cancelled: it stays the same when the mail is sent again.
  const messageId = `<${lead.messageId}@${new URL(deps.settings.baseUrl).hostname}>`
  return {
    mail: composed && { ...composed.words, messageId },
    told,
    dropped: rows.map(({ id }) => id).filter((id) => !told.includes(id)),
  }
}

async function composeRows(deps: Deps, lead: MailRow, rows: readonly MailRow[]): Promise<Together> {
  if (lead.kind === 'ticket' || lead.kind === 'event changed') return together[lead.kind](deps, rows)
  const words = await alone[lead.kind](deps, lead)
  return words && { words, told: [lead] }
}
