import type { Endpoint, Input, Payload } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import { visitorEventApi } from '../../contract/event.ts'
import { visitorExtrasApi } from '../../contract/extras.ts'
import { questionsFor, visitorFormApi } from '../../contract/forms.ts'
import { orderApi } from '../../contract/orders.ts'
import type { AfterForm, AskApi, SentForm, Submitted } from '../../contract/page-renderer.ts'
import { paymentApi } from '../../contract/payments.ts'
import { findPublicPage } from '../../contract/public-paths.ts'
import { registrationApi } from '../../contract/registrations.ts'
import { onSale, visitorTicketTypeApi } from '../../contract/ticket-type.ts'
import { fromAnswer, toRequest } from '../../contract/wire.ts'
import * as texts from '../../texts/generated/registration.ts'
import { inLanguage, type Language } from '../../texts/language.ts'
import { idsOf, wantedIn } from '../extras/wanted.ts'
import * as paths from '../paths.ts'
import { readId } from '../read-id.ts'
import { REGISTERED_EMAIL } from '../registrations/FindTicket.tsx'
import { errorsIn, errorsOf, valuesOf, wordsOf } from '../registrations/registration-values.ts'
import { NO_TICKET } from '../registrations/ticket-type/chosen-type.ts'
import { CODE, MEMBER, TICKET_TYPE } from '../registrations/typed.ts'

/** Handles a form sent without JavaScript from the start page, an event's page or an unpaid registration, by the same calls as the script makes. */
export async function submitForm(
  { address, fields, idempotencyKey, language }: SentForm,
  ask: AskApi,
): Promise<AfterForm> {
  const { pathname, searchParams } = new URL(address, 'http://here')
  const page = findPublicPage(pathname)
  if (page?.path === '/club/:clubId/event/:eventId/success') return payAtBank(address, searchParams, ask, language)
  const params = page?.params ?? {}
  if (page?.path === '/order/:id/:secret')
    return payOrderAtBank(address, { orderId: readId(params.id), secret: params.secret ?? '' }, ask, language)
  const data = new URLSearchParams(fields.map(([name, value]) => [name, value]))
  const values = byName(fields)
  const send = sender(ask, language)
  // From the start page, for all events.
  const of = page?.path === '/' ? {} : { eventId: readId(params.eventId) }
  if (data.has(REGISTERED_EMAIL)) {
    const email = data.get(REGISTERED_EMAIL) ?? ''
    const again = (messages: string[]): Submitted => ({ form: 'find ticket', values, errors: {}, messages })
    return orShow(
      async () => {
        await send(registrationApi.findTicket, { payload: { ...of, email } })
        return { status: 200, submitted: again([]) }
      },
      (refusal) => again([refusal.fields[0]?.msg() ?? refusal.message]),
      language,
    )
  }
  const [clubId, eventId] = [readId(params.clubId), readId(params.eventId)]
  const code = data.get(CODE)?.trim() || undefined
  const [questions, { phoneField }, shown] = await Promise.all([
    send(visitorFormApi.getFormQuestions, { eventId }),
    send(visitorEventApi.getEventByEventIdnClubId, { eventId, clubId }),
    send(visitorTicketTypeApi.getTicketTypes, { eventId }).then(onSale),
  ])
  // Only where no other can be chosen. What is wrong with the code, the call that registers says.
  const opened =
    shown.length === 0 && code !== undefined
      ? await send(visitorTicketTypeApi.getTicketTypes, { eventId, code }).catch(() => shown)
      : shown
  const ticketTypes = opened.length > 0 ? opened : shown
  // Whether it can still be had, the call decides. A page from before there were several names none.
  const named = data.get(TICKET_TYPE) ?? ''
  const ticketTypeId = /^[1-9]\d{0,8}$/.test(named) ? Number(named) : undefined
  const isChosen = ticketTypeId !== undefined || ticketTypes.length === 1 || code !== undefined
  const asked = questionsFor(questions, ticketTypes.length === 1 ? ticketTypes[0]?.id : ticketTypeId)
  const registrationData = valuesOf(data, asked)
  // Reports all errors at once, as the page's script does; the server would check the answers to questions only once the rest is valid.
  const errors = inLanguage(language, () => ({
    ...(!isChosen && { [TICKET_TYPE]: texts.chooseTicket() }),
    ...errorsIn(registrationData, { questions: asked, phoneField }),
  }))
  if (!isChosen) values[TICKET_TYPE] = [NO_TICKET]
  if (Object.keys(errors).length > 0)
    return { status: 422, submitted: { form: 'register', values, errors, messages: [] } }
  return orShow(
    async () => {
      const extras = await send(visitorExtrasApi.getExtras, { eventId })
      const { savedRegistration } = await send(registrationApi.initRegistration, {
        newRegistration: { eventId, clubId, ticketTypeId, registrationData, memberId: data.get(MEMBER) || undefined },
        extrasIds: idsOf(extras, wantedIn(values)),
        idempotencyKey,
        code,
      })
      if (savedRegistration.status !== 'pending') return { goTo: paths.registered(savedRegistration) }
      // Without JavaScript there is no card form in our page, so it has to be the bank's own page.
      const { id: registrationId, qrUuid } = savedRegistration
      // If the bank fails, the registration's page says what is left to do.
      const bankPage = await bankPageFor({ registrationId, qrUuid }, send).catch(() => null)
      return { goTo: bankPage ?? paths.registered(savedRegistration) }
    },
    (refusal) => {
      const { errors, rest } = errorsOf(refusal, asked)
      return { form: 'register', values, errors, messages: refusal.fields.length === 0 ? [wordsOf(refusal)] : rest }
    },
    language,
  )
}

/** From the page of an unpaid registration: to the bank's page, or the page again with the reason. */
function payAtBank(
  address: string,
  searchParams: URLSearchParams,
  ask: AskApi,
  language: Language,
): Promise<AfterForm> {
  const registrationId = readId(searchParams.get('registration_id'))
  const qrUuid = searchParams.get('qrUuid') ?? ''
  return orShow(
    async () => ({ goTo: (await bankPageFor({ registrationId, qrUuid }, sender(ask, language))) ?? address }),
    (refusal) => ({ form: 'pay', values: {}, errors: {}, messages: [refusal.message] }),
    language,
  )
}

/** The same from the page of an unpaid order. */
function payOrderAtBank(
  address: string,
  holder: { orderId: number; secret: string },
  ask: AskApi,
  language: Language,
): Promise<AfterForm> {
  return orShow(
    async () => {
      const { checkoutUrl } = await sender(ask, language)(orderApi.payOrder, { payload: { ...holder, hosted: true } })
      return { goTo: checkoutUrl ?? address }
    },
    (refusal) => ({ form: 'pay', values: {}, errors: {}, messages: [refusal.message] }),
    language,
  )
}

/** The address of the bank's page on which this registration is paid. */
async function bankPageFor(
  holder: { registrationId: number; qrUuid: string },
  send: ReturnType<typeof sender>,
): Promise<string | null> {
  return (await send(paymentApi.createCheckout, { payload: { ...holder, hosted: true } })).checkoutUrl
}

function sender(ask: AskApi, language: Language) {
  return async <E extends Endpoint>(endpoint: E, input: Input<E>): Promise<Payload<E>> => {
    // Invalid input is refused here, before the call is made.
    const { status, body } = await ask(inLanguage(language, () => toRequest(endpoint, input)))
    return fromAnswer(endpoint, status, body).payload
  }
}

/** The values of each field, in one pass: a form may have many. */
function byName(fields: SentForm['fields']): Record<string, string[]> {
  const values = new Map<string, string[]>()
  for (const [name, value] of fields) {
    const before = values.get(name)
    if (before) before.push(value)
    else values.set(name, [value])
  }
  return Object.fromEntries(values)
}

/** Shows the form again with the reason if it was refused. */
async function orShow(
  work: () => Promise<AfterForm>,
  again: (refusal: Refusal) => Submitted,
  language: Language,
): Promise<AfterForm> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { status: error.status, submitted: inLanguage(language, () => again(error)) }
  }
}
