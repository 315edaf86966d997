import { teamRoleNames } from '../../contract/team-role-names.ts'
import * as texts from '../../texts/generated/mails.ts'
import { inLanguage } from '../../texts/language.ts'
import { newLink } from '../auth/new-link.ts'
import type { MailRow, UserRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { mailPage, productFrame } from '../mail/layout.ts'
import type { Mail } from '../mail/mailer.ts'
import { findClub } from '../records/club-queries.ts'
import { languageOfUser } from '../records/user-language.ts'

const DAY = 24 * 60 * 60_000

/**
 * The mail with the link of an invitation; null when it was withdrawn, accepted or has expired. As with a new password, the link's token
 * exists only in the mail; a retry sends a new link.
 */
export async function invitationMail(
  { db, now, settings }: Deps,
  row: MailRow,
): Promise<Omit<Mail, 'messageId'> | null> {
  const { userId, clubId } = row
  const club = clubId === null ? undefined : await findClub(db, clubId)
  if (!club || userId === null) return null
  const at = now()
  const validUntil = ({ invitedUntil }: UserRow) => (invitedUntil && invitedUntil > at ? invitedUntil : null)
  const link = await db.transaction().execute((tx) => newLink(tx, userId, at, validUntil))
  if (!link || link.user.teamRole === null) return null
  const { user, token, expiresAt } = link
  const { teamRole } = link.user
  const language = await languageOfUser(db, user)
  const days = Math.ceil((expiresAt.getTime() - at.getTime()) / DAY)
  return {
    to: user.email,
    replyTo: club.email || null,
    ...inLanguage(language, () =>
      mailPage(
        texts.invitationSubject({ club: club.name }),
        [
          { greeting: texts.hello({ name: user.fullName }) },
          { text: texts.invitationText({ club: club.name, role: teamRoleNames[teamRole]() }) },
          { text: texts.invitationLink({ count: days }) },
          { button: texts.joinTheTeam(), url: `${settings.baseUrl}/invitation#${token}` },
          { text: texts.invitationNotYou() },
        ],
        productFrame(settings),
      ),
    ),
  }
}
