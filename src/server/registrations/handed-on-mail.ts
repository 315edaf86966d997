import * as texts from '../../texts/generated/mails.ts'
import { inLanguage } from '../../texts/language.ts'
import type { MailRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { mailPage } from '../mail/layout.ts'
import { addressed, answerParts, factsOf, findAbout, frameOf, mailLanguage, type Words } from './mail-facts.ts'

/** The mail to whoever had a ticket before it was handed on. It names the new person, but neither their address nor their code. */
export async function handedOnMail(deps: Deps, row: MailRow): Promise<Words | null> {
  const about = await findAbout(deps, row)
  if (!about || row.recipient === null) return null
  const { registration, event, club } = about
  const page = inLanguage(mailLanguage(about), () =>
    mailPage(
      texts.handedOnSubject({ event: event.name }),
      [
        { title: event.name, badge: texts.handedOnBadge(), isBad: true },
        { text: texts.handedOn({ name: registration.name, event: event.name }) },
        { text: texts.codeIsVoid() },
        { lines: factsOf(event), isOver: true },
        ...answerParts(club, true),
      ],
      frameOf(club),
    ),
  )
  return { ...addressed(about, page), to: row.recipient }
}
