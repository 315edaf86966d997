import { randomUUID } from 'node:crypto'
import type { Payload } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import type { platformApi } from '../../contract/platform.ts'
import * as texts from '../../texts/generated/mails.ts'
import { inLanguage } from '../../texts/language.ts'
import type { Caller } from '../access/caller.ts'
import type { Deps } from '../deps.ts'
import { mailPage, productFrame } from '../mail/layout.ts'
import { reasonOf } from '../mail/verdict.ts'
import { withPatience } from '../patience.ts'
import { languageOfUser } from '../records/user-language.ts'
import { findUser } from '../records/user-queries.ts'

/** How long the mail server may take, in ms. */
const PATIENCE_MS = 20_000

/** Sends a mail to the caller's own address, past the queue, so that what the mail server says of it is known at once. */
export async function sendTestMail(
  { db, mailer, settings }: Deps,
  { id }: Pick<Caller, 'id'>,
): Promise<Payload<typeof platformApi.sendTestMail>> {
  const user = await findUser(db, id)
  if (!user) throw new Refusal('SIGN_IN_NEEDED')
  const { email: to } = user
  const language = await languageOfUser(db, user)
  const { host } = new URL(settings.baseUrl)
  const mail = inLanguage(language, () =>
    mailPage(texts.testSubject({ host }), [{ text: texts.testText({ host }) }], productFrame(settings)),
  )
  try {
    const sent = mailer.send({ messageId: randomUUID(), to, replyTo: null, ...mail })
    await withPatience(PATIENCE_MS, sent, () => new Error('The mail server did not answer in time.'))
    return { to, failure: null }
  } catch (error) {
    return { to, failure: reasonOf(error) }
  }
}
