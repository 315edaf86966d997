import * as texts from '../../texts/generated/mails.ts'
import { inLanguage } from '../../texts/language.ts'
import type { MailRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { mailPage, productFrame } from '../mail/layout.ts'
import type { Mail } from '../mail/mailer.ts'
import { languageOfUser } from '../records/user-language.ts'
import { findUser } from '../records/user-queries.ts'

/** The mail to a user's previous address, saying that they sign in with another one now; null when the user is gone. */
export async function emailChangedMail(
  { db, settings }: Deps,
  { userId, recipient }: MailRow,
): Promise<Omit<Mail, 'messageId'> | null> {
  const user = userId === null ? null : await findUser(db, userId)
  if (!user || recipient === null) return null
  // Does not name the new address: this mailbox may be somebody else's by now.
  const language = await languageOfUser(db, user)
  return {
    to: recipient,
    replyTo: null,
    ...inLanguage(language, () =>
      mailPage(
        texts.emailChangedSubject(),
        [
          { greeting: texts.hello({ name: user.fullName }) },
          { text: texts.emailChanged({ host: new URL(settings.baseUrl).host }) },
          { text: texts.emailNotYou() },
        ],
        productFrame(settings),
      ),
    ),
  }
}
