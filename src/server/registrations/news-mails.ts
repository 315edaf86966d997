import { languageFor } from '../../contract/values/languages.ts'
import { formatPrice } from '../../contract/values/money.ts'
import * as texts from '../../texts/generated/mails.ts'
import { inLanguage } from '../../texts/language.ts'
import { formatNumber } from '../../texts/numbers.ts'
import type { MailRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { clubUrl } from '../events/event-url.ts'
import { mailPage, productFrame } from '../mail/layout.ts'
import type { MailPart } from '../mail/mail-parts.ts'
import type { Attachment } from '../mail/mailer.ts'
import { findRefundsMadeWith, findRefundsOf } from '../payments/refund-queries.ts'
import { findClub } from '../records/club-queries.ts'
import { findEvent } from '../records/event-queries.ts'
import { findRegistration } from '../records/registration-queries.ts'
import { calendarAttachment } from './calendar-of.ts'
import {
  type About,
  addressed,
  answerParts,
  factsOf,
  findAbout,
  frameOf,
  type MailWords,
  mailLanguage,
  type Words,
} from './mail-facts.ts'

/** The mail about a cancelled event; null when it takes place after all, or the registration had been cancelled. */
export function eventCancelledMail(deps: Deps, row: MailRow): Promise<Words | null> {
  return mailAbout(deps, row, async (about) => {
    const { registration, event, club } = about
    // Calling the event off ends the holds of those who were about to pay.
    const wasPaying = registration.status === 'pending' || registration.cancelReason === 'hold ended'
    if (event.status !== 'cancelled' || (registration.status === 'cancelled' && !wasPaying)) return null
    const refunds = await refundsOf(deps, about)
    const { frame, pictures } = await frameOf(deps, club)
    const page = inLanguage(mailLanguage(about), () =>
      mailPage(
        texts.cancelledSubject({ event: event.name }),
        [
          { title: event.name, badge: texts.eventCancelledBadge(), isBad: true },
          { greeting: texts.hello(registration) },
          {
            text: wasPaying
              ? texts.cancelledPaying({ event: event.name })
              : texts.cancelledEvent({ event: event.name }),
          },
          ...moneyParts(refunds),
          { lines: factsOf(event), isOver: true },
          { button: texts.seeOthers(), url: clubUrl(deps.settings.baseUrl, club.id) },
          ...(wasPaying ? [] : [calendarNote()]),
          ...answerParts(club),
        ],
        frame,
      ),
    )
    // Those who were about to pay have no calendar entry yet.
    return wasPaying ? { ...page, attachments: pictures } : withCancellation(deps, about, page, pictures)
  })
}

/** The mail about a registration cancelled by the club; null when it is confirmed again. */
export function registrationCancelledMail(deps: Deps, row: MailRow): Promise<Words | null> {
  return mailAbout(deps, row, async (about) => {
    const { registration, event, club } = about
    if (registration.status !== 'cancelled') return null
    const refunds = await refundsOf(deps, about)
    const { frame, pictures } = await frameOf(deps, club)
    const page = inLanguage(mailLanguage(about), () =>
      mailPage(
        texts.registrationCancelledSubject({ event: event.name }),
        [
          { title: event.name, badge: texts.registrationCancelledBadge(), isBad: true },
          { greeting: texts.hello(registration) },
          {
            text:
              registration.cancelReason === 'holder'
                ? texts.givenBackForYou({ event: event.name })
                : texts.registrationCancelled({ club: club.name, event: event.name }),
          },
          ...moneyParts(refunds),
          { lines: factsOf(event), isOver: true },
          calendarNote(),
          ...answerParts(club, true),
        ],
        frame,
      ),
    )
    return withCancellation(deps, about, page, pictures)
  })
}

/** The mail that tells the club of a place given back; null when it has no address, or the place was taken again. */
export async function placeGivenBackMail({ db, settings }: Deps, row: MailRow): Promise<Words | null> {
  const registration = row.registrationId === null ? undefined : await findRegistration(db, row.registrationId)
  if (registration?.status !== 'cancelled') return null
  const [event, club] = await Promise.all([findEvent(db, registration.eventId), findClub(db, registration.clubId)])
  if (!event || !club || club.email === '') return null
  const { registrationCount: count, maxAttendees: most } = event
  const page = inLanguage(languageFor(null, club), () =>
    mailPage(
      texts.placeBackSubject({ event: event.name }),
      [
        { title: event.name, badge: texts.placeBackBadge() },
        { text: texts.placeBack({ name: registration.name, event: event.name }) },
        {
          lines: [
            most === null ? texts.placesTaken({ count }) : texts.placesTakenOf({ count, most: formatNumber(most) }),
            ...factsOf(event),
          ],
        },
        {
          button: texts.seeAttendees(),
          url: `${settings.baseUrl}/event/${event.id}/attendees?open=${registration.id}`,
        },
      ],
      productFrame(settings),
    ),
  )
  return { ...page, to: club.email, replyTo: registration.email || null }
}

/** The refunds that a mail mentions: its own, or all of the registration. */
async function refundsOf({ db }: Deps, { row, registration }: About) {
  // Whoever got the ticket from somebody else has paid nothing.
  if (registration.handedOnAt !== null && row.recipient === null) return []
  return row.refundId === null
    ? findRefundsOf(db, registration.id)
    : findRefundsMadeWith(db, row.refundId, registration.id)
}

/** The sum that goes back to the card, if any. */
function moneyParts(refunds: Awaited<ReturnType<typeof findRefundsOf>>): MailPart[] {
  const [latest] = refunds
  if (!latest) return []
  const sum = refunds.reduce((total, { amount }) => total + amount, 0)
  return [{ text: texts.moneyBack({ amount: formatPrice(sum, latest.currency) }) }]
}

/** The mail about a refund; null when there is none. */
export function refundedMail(deps: Deps, row: MailRow): Promise<Words | null> {
  return mailAbout(deps, row, async (about) => {
    const { registration, event, club } = about
    const refunds = await refundsOf(deps, about)
    const [latest] = refunds
    if (!latest) return null
    // All that were made at once, or the latest.
    const amount = row.refundId === null ? latest.amount : refunds.reduce((sum, refund) => sum + refund.amount, 0)
    const isLate = latest.reason === 'too late'
    // Whoever pays for an order is told for whom, and of their own ticket only if it is about that.
    // What becomes of a ticket is told to whoever has it.
    const isTheirs = row.recipient === null
    const isOwn = isTheirs && refunds.some(({ registrationId }) => registrationId === registration.id)
    const isForOthers = refunds.some(({ registrationId }) => registrationId !== registration.id)
    const names = refunds.map(({ name }) => name).join(', ')
    // The refund itself cancelled it, so this is the mail that says so.
    const isEnd = isTheirs && registration.cancelReason === 'refund'
    const { frame, pictures } = await frameOf(deps, club)
    const page = inLanguage(mailLanguage(about), () =>
      mailPage(
        texts.refundSubject({ event: event.name }),
        [
          { title: event.name, badge: texts.refundBadge({ amount: formatPrice(amount, latest.currency) }) },
          { greeting: texts.hello(registration) },
          ...(isLate ? [{ text: texts.latePayment({ event: event.name }) }] : []),
          { text: texts.refund({ amount: formatPrice(amount, latest.currency), event: event.name }) },
          ...(isForOthers ? [{ text: texts.forAll({ names }) }] : []),
          ...(isOwn ? [{ text: registration.status === 'confirmed' ? texts.ticketStays() : texts.noPlace() }] : []),
          { lines: factsOf(event) },
          ...(isEnd ? [calendarNote()] : []),
          ...answerParts(club),
        ],
        frame,
      ),
    )
    return isEnd ? withCancellation(deps, about, page, pictures) : { ...page, attachments: pictures }
  })
}

const calendarNote = (): MailPart => ({ text: texts.calendarRemoved() })

/** The mail with the file that removes its entry from the calendar. */
async function withCancellation(
  deps: Deps,
  about: About,
  page: MailWords,
  pictures: readonly Attachment[],
): Promise<MailWords> {
  return { ...page, attachments: [await calendarAttachment(deps, [about], 'cancel'), ...pictures] }
}

async function mailAbout(
  deps: Deps,
  row: MailRow,
  words: (about: About) => Promise<MailWords | null>,
): Promise<Words | null> {
  const about = await findAbout(deps, row)
  const page = about && (await words(about))
  return page && addressed(about, page)
}
