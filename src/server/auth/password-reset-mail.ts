import * as texts from '../../texts/generated/mails.ts'
import { inLanguage } from '../../texts/language.ts'
import type { MailRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { mailPage } from '../mail/layout.ts'
import type { Mail } from '../mail/mailer.ts'
import { languageOfUser } from '../records/user-language.ts'
import { findUser } from '../records/user-queries.ts'
import { hashOf, newToken } from '../tokens.ts'
import { ASKED_MINUTES, savePasswordReset } from './queries.ts'

/**
 * The mail with the link for a new password; null when the person is gone. The link's token is generated here, so that it exists only in
 * the mail; a retry sends a new link.
 */
export async function passwordResetMail(
  { db, now, settings }: Deps,
  row: MailRow,
): Promise<Omit<Mail, 'messageId'> | null> {
  const user = row.userId === null ? null : await findUser(db, row.userId)
  if (!user) return null
  const token = newToken()
  const expiresAt = new Date(now().getTime() + ASKED_MINUTES * 60_000)
  await savePasswordReset(db, { userId: user.id, tokenHash: hashOf(token), expiresAt }, now())
  const language = await languageOfUser(db, user)
  return {
    to: user.email,
    replyTo: null,
    ...inLanguage(language, () =>
      mailPage(texts.passwordSubject(), [
        { text: texts.hello({ name: user.fullName }) },
        { text: texts.passwordLink({ count: ASKED_MINUTES }) },
        { button: texts.choosePassword(), url: `${settings.baseUrl}/reset-password#${token}` },
        { text: texts.passwordNotYou() },
      ]),
    ),
  }
}
