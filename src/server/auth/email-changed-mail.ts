import type { MailRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { mailPage } from '../mail/layout.ts'
import type { Mail } from '../mail/mailer.ts'
import { findUser } from '../records/user-queries.ts'

/** The mail to a user's previous address, saying that they sign in with another one now; null when the user is gone. */
export async function emailChangedMail(
  { db, settings }: Deps,
  { userId, recipient }: MailRow,
): Promise<Omit<Mail, 'messageId'> | null> {
  const user = userId === null ? null : await findUser(db, userId)
  if (!user || recipient === null) return null
  // Does not name the new address: this mailbox may be somebody else's by now.
  return {
    to: recipient,
    replyTo: null,
    ...mailPage('Your e-mail address was changed', [
      { text: `Hello ${user.fullName},` },
      {
        text: `The e-mail address of your account at ${new URL(settings.baseUrl).host} was changed. From now on you sign in with the new one, and this address gets no more mail about the account.`,
      },
      {
        text: 'If it was not you, tell another admin of your club or whoever runs this platform at once. They can set the address and a new password.',
      },
    ]),
  }
}
