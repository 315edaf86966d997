import { shortCode } from '../../contract/values/ticket-codes.ts'
import * as texts from '../../texts/generated/mails.ts'
import { inLanguage } from '../../texts/language.ts'
import type { MailRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { mailPage } from '../mail/layout.ts'
import { findFormerHolders, findRegistration } from '../records/registration-queries.ts'
import { calendarAttachment } from './calendar-of.ts'
import { addressed, answerParts, factsOf, findAbout, frameOf, mailLanguage, type Words } from './mail-facts.ts'

/** The mail to whoever had a ticket before it was handed on. It does not say who has it now: that is told to nobody but the club. */
export async function handedOnMail(deps: Deps, row: MailRow): Promise<Words | null> {
  const about = await findAbout(deps, row)
  const former = about && (await findFormerHolders(deps.db, [about.registration.id]))
  const holder = former?.find(({ handedOnAt }) => handedOnAt <= row.createdAt)
  if (!about || !holder) return null
  const { registration, event, club } = about
  const { name } = holder
  const { frame, pictures } = await frameOf(deps, club)
  const page = inLanguage(mailLanguage(about), () =>
    mailPage(
      texts.handedOnSubject({ event: event.name }),
      [
        { title: event.name, badge: texts.handedOnBadge(), isBad: true },
        { text: texts.handedOn({ name, event: event.name }) },
        { text: texts.codeIsVoid({ code: shortCode({ id: registration.id, qrUuid: holder.qrUuid }) }) },
        { lines: factsOf(event), isOver: true },
        ...answerParts(club, true),
      ],
      frame,
    ),
  )
  // Handed on within one mailbox, the new entry for the calendar stays.
  const current = await findRegistration(deps.db, registration.id)
  const isSameMailbox = current?.email.toLowerCase() === registration.email.toLowerCase()
  const attachments = isSameMailbox ? [] : [await calendarAttachment(deps, [about], 'cancel')]
  return addressed(about, { ...page, attachments: [...attachments, ...pictures] })
}
