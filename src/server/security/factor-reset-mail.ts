import * as texts from '../../texts/generated/mails.ts'
import { inLanguage } from '../../texts/language.ts'
import type { MailRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { mailPage } from '../mail/layout.ts'
import type { Mail } from '../mail/mailer.ts'
import { languageOfUser } from '../records/user-language.ts'
import { findUser } from '../records/user-queries.ts'

/** The mail that tells somebody that their second factor was removed by others; null when they are gone. */
export async function factorResetMail(
  { db, settings }: Deps,
  { userId }: MailRow,
): Promise<Omit<Mail, 'messageId'> | null> {
  const user = userId === null ? null : await findUser(db, userId)
  if (!user) return null
  const language = await languageOfUser(db, user)
  return {
    to: user.email,
    replyTo: null,
    ...inLanguage(language, () =>
      mailPage(texts.factorResetSubject(), [
        { text: texts.hello({ name: user.fullName }) },
        { text: texts.factorReset({ host: new URL(settings.baseUrl).host }) },
        { text: texts.factorResetNotYou() },
      ]),
    ),
  }
}
