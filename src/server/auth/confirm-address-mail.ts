import * as texts from '../../texts/generated/mails.ts'
import { inLanguage } from '../../texts/language.ts'
import type { MailRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { mailPage, productFrame } from '../mail/layout.ts'
import type { Mail } from '../mail/mailer.ts'
import { languageOfUser } from '../records/user-language.ts'
import { findUser } from '../records/user-queries.ts'
import { hasWebAddress } from '../registrations/web-address.ts'
import { hashOf, newToken } from '../tokens.ts'
import { saveAddressToken } from './address-queries.ts'

/** How long a link is valid. */
const LINK_MS = 24 * 60 * 60_000

/**
 * The mail with the link that confirms a new address; null when it is no longer wanted. The link's token is generated here, so that it
 * exists only in the mail; a retry sends a new link.
 */
export async function confirmAddressMail(
  { db, now, settings }: Deps,
  { userId, recipient }: MailRow,
): Promise<Omit<Mail, 'messageId'> | null> {
  const user = userId === null ? null : await findUser(db, userId)
  if (!user || recipient === null) return null
  const token = newToken()
  const at = now()
  const link = { email: recipient, tokenHash: hashOf(token), expiresAt: new Date(at.getTime() + LINK_MS) }
  if (!(await saveAddressToken(db, { userId: user.id, ...link }, at))) return null
  const language = await languageOfUser(db, user)
  return {
    to: recipient,
    replyTo: null,
    ...inLanguage(language, () =>
      mailPage(
        texts.newAddressSubject(),
        [
          // It goes to whom they like, so it carries no link of theirs.
          ...(hasWebAddress(user.fullName) ? [] : [{ greeting: texts.hello({ name: user.fullName }) }]),
          { text: texts.newAddressText({ host: new URL(settings.baseUrl).host }) },
          { button: texts.confirmAddress(), url: `${settings.baseUrl}/confirm-address#${token}` },
          { text: texts.newAddressNotYou() },
        ],
        productFrame(settings),
      ),
    ),
  }
}
