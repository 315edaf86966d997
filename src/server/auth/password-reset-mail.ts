import * as texts from '../../texts/generated/mails.ts'
import { inLanguage } from '../../texts/language.ts'
import type { MailRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { mailPage, productFrame } from '../mail/layout.ts'
import type { Mail } from '../mail/mailer.ts'
import { languageOfUser } from '../records/user-language.ts'
import { newLink } from './new-link.ts'
import { ASKED_MINUTES } from './queries.ts'

/**
 * The mail with the link for a new password; null when the person is gone. The link's token is generated here, so that it exists only in
 * the mail; a retry sends a new link.
 */
export async function passwordResetMail(
  { db, now, settings }: Deps,
  row: MailRow,
): Promise<Omit<Mail, 'messageId'> | null> {
  const { userId } = row
  const at = now()
  const expiresAt = new Date(at.getTime() + ASKED_MINUTES * 60_000)
  const link = userId === null ? null : await db.transaction().execute((tx) => newLink(tx, userId, at, () => expiresAt))
  if (!link) return null
  const { user, token } = link
  const language = await languageOfUser(db, user)
  return {
    to: user.email,
    replyTo: null,
    ...inLanguage(language, () =>
      mailPage(
        texts.passwordSubject(),
        [
          { greeting: texts.hello({ name: user.fullName }) },
          { text: texts.passwordLink({ count: ASKED_MINUTES }) },
          { button: texts.choosePassword(), url: `${settings.baseUrl}/reset-password#${token}` },
          { text: texts.passwordNotYou() },
        ],
        productFrame(settings),
      ),
    ),
  }
}
