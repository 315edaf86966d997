import * as texts from '../../texts/generated/mails.ts'
import { inLanguage } from '../../texts/language.ts'
import type { MailRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { mailPage, productFrame } from '../mail/layout.ts'
import type { Mail } from '../mail/mailer.ts'
import type { FactorMail } from '../mail/queries.ts'
import { languageOfUser } from '../records/user-language.ts'
import { findUser } from '../records/user-queries.ts'

const words = {
  'second factor on': { subject: texts.factorOnSubject, text: texts.factorOn, notYou: texts.factorNotYou },
  'second factor off': { subject: texts.factorResetSubject, text: texts.factorOff, notYou: texts.factorNotYou },
  'second factor reset': {
    subject: texts.factorResetSubject,
    text: texts.factorReset,
    notYou: texts.factorResetNotYou,
  },
  'recovery codes made': { subject: texts.newCodesSubject, text: texts.newCodes, notYou: texts.factorNotYou },
  'passkey added': { subject: texts.passkeySubject, text: texts.passkeyAdded, notYou: texts.passkeyNotYou },
  'passkey removed': { subject: texts.passkeySubject, text: texts.passkeyRemoved, notYou: texts.factorNotYou },
  'code app added': { subject: texts.codeAppAddedSubject, text: texts.codeAppAdded, notYou: texts.passkeyNotYou },
  'code app removed': { subject: texts.codeAppSubject, text: texts.codeAppRemoved, notYou: texts.factorNotYou },
  'API token made': { subject: texts.newTokenSubject, text: texts.newToken, notYou: texts.newTokenNotYou },
} as const satisfies Record<FactorMail, unknown>

/** Makes the function for the mail that tells somebody that what gives access to their account was changed. It answers null when they are gone. */
export function factorMail(kind: FactorMail) {
  return (deps: Deps, row: MailRow) => compose(deps, row, kind)
}

async function compose(
  { db, settings }: Deps,
  { userId }: MailRow,
  kind: FactorMail,
): Promise<Omit<Mail, 'messageId'> | null> {
  const user = userId === null ? null : await findUser(db, userId)
  if (!user) return null
  const { subject, text, notYou } = words[kind]
  const language = await languageOfUser(db, user)
  return {
    to: user.email,
    replyTo: null,
    ...inLanguage(language, () =>
      mailPage(
        subject(),
        [
          { greeting: texts.hello({ name: user.fullName }) },
          { text: text({ host: new URL(settings.baseUrl).host }) },
          { text: notYou() },
        ],
        productFrame(settings),
      ),
    ),
  }
}
