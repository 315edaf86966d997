import { answerIn, sayIn, voucherIn } from '../../contract/own-words.ts'
import { languageFor } from '../../contract/values/languages.ts'
import type { TicketFacts } from '../tickets/shown-on-pdf.ts'
import { textsOf } from './to-event.ts'

/** What is known about a ticket, with the club's own texts in the language of its holder where they are translated. */
export function inHoldersWords<F extends Omit<TicketFacts, 'receipt'>>(facts: F): F {
  const { registration, event, club, typeName, purchases } = facts
  const dictionary = event.translations[languageFor(registration.language, club)]
  if (!dictionary) return facts
  const say = sayIn(textsOf(dictionary))
  return {
    ...facts,
    event: { ...event, name: say(event.name) },
    typeName: typeName && say(typeName),
    registration: { ...registration, others: registration.others.map((answered) => answerIn(answered, say)) },
    purchases: purchases.map((voucher) => voucherIn(voucher, say)),
  }
}
