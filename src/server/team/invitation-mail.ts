import { teamRoleNames } from '../../contract/team-role-names.ts'
import * as texts from '../../texts/generated/mails.ts'
import { inLanguage } from '../../texts/language.ts'
import { savePasswordReset } from '../auth/queries.ts'
import type { MailRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { mailPage } from '../mail/layout.ts'
import type { Mail } from '../mail/mailer.ts'
import { findClub } from '../records/club-queries.ts'
import { languageOfUser } from '../records/user-language.ts'
import { findUser } from '../records/user-queries.ts'
import { hashOf, newToken } from '../tokens.ts'

const DAY = 24 * 60 * 60_000

/**
 * The mail with the link of an invitation; null when it was withdrawn, accepted or has expired. As with a new password, the link's token
 * exists only in the mail; a retry sends a new link.
 */
export async function invitationMail(
  { db, now, settings }: Deps,
  row: MailRow,
): Promise<Omit<Mail, 'messageId'> | null> {
  const user = row.userId === null ? null : await findUser(db, row.userId)
  if (!user?.invitedUntil || user.invitedUntil <= now() || user.clubId === null || user.teamRole === null) return null
  const { invitedUntil, teamRole } = user
  const club = await findClub(db, user.clubId)
  if (!club) return null
  const token = newToken()
  await savePasswordReset(db, { userId: user.id, tokenHash: hashOf(token), expiresAt: invitedUntil }, now())
  const language = await languageOfUser(db, user)
  const days = Math.ceil((invitedUntil.getTime() - now().getTime()) / DAY)
  return {
    to: user.email,
    replyTo: club.email || null,
    ...inLanguage(language, () =>
      mailPage(texts.invitationSubject({ club: club.name }), [
        { text: texts.hello({ name: user.fullName }) },
        { text: texts.invitationText({ club: club.name, role: teamRoleNames[teamRole]() }) },
        { text: texts.invitationLink({ count: days }) },
        { button: texts.joinTheTeam(), url: `${settings.baseUrl}/invitation#${token}` },
        { text: texts.invitationNotYou() },
      ]),
    ),
  }
}
