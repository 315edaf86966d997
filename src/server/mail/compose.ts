import { emailChangedMail } from '../auth/email-changed-mail.ts'
import { passwordResetMail } from '../auth/password-reset-mail.ts'
import type { MailRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import {
  eventCancelledMail,
  placeGivenBackMail,
  refundedMail,
  registrationCancelledMail,
  ticketMail,
} from '../registrations/ticket-mail.ts'
import type { Mail } from './mailer.ts'

const composers = {
  ticket: ticketMail,
  'event cancelled': eventCancelledMail,
  'registration cancelled': registrationCancelledMail,
  'place given back': placeGivenBackMail,
  'password reset': passwordResetMail,
  'email changed': emailChangedMail,
  refunded: refundedMail,
} as const satisfies Record<MailRow['kind'], (deps: Deps, row: MailRow) => Promise<Omit<Mail, 'messageId'> | null>>

/** The mail that a row of the queue stands for, as things are now; null when it has nothing to tell any more. */
export async function compose(deps: Deps, row: MailRow): Promise<Mail | null> {
  const words = await composers[row.kind](deps, row)
  return words && { ...words, messageId: `<${row.messageId}@${new URL(deps.settings.baseUrl).hostname}>` }
}
