import type { Endpoint, Input, Payload } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import { extrasApi } from '../../contract/extras.ts'
import { formApi } from '../../contract/forms.ts'
import { pageAt } from '../../contract/page-paths.ts'
import type { AfterForm, AskApi, SentForm, Submitted } from '../../contract/page-renderer.ts'
import { paymentApi } from '../../contract/payments.ts'
import { registrationApi } from '../../contract/registrations.ts'
import { fromAnswer, toRequest } from '../../contract/wire.ts'
import { idsOf, wantedIn } from '../extras/wanted.ts'
import { paths } from '../paths.ts'
import { readId } from '../read-id.ts'
import { REGISTERED_EMAIL } from '../registrations/FindTicket.tsx'
import { errorsIn, errorsOf, valuesOf, wordsOf } from '../registrations/registration-values.ts'

/** Carries out a form of an event's page that was sent without script, by the same calls as the script makes. */
export async function submitForm({ address, fields, idempotencyKey }: SentForm, ask: AskApi): Promise<AfterForm> {
  const params = pageAt(new URL(address, 'http://here').pathname)?.params ?? {}
  const [clubId, eventId] = [readId(params.clubId), readId(params.eventId)]
  const data = new URLSearchParams(fields.map(([name, value]) => [name, value]))
  const values = byName(fields)
  const send = async <E extends Endpoint>(endpoint: E, input: Input<E>): Promise<Payload<E>> => {
    const { status, body } = await ask(toRequest(endpoint, input))
    return fromAnswer(endpoint, status, body).payload
  }
  if (data.has(REGISTERED_EMAIL)) {
    const email = data.get(REGISTERED_EMAIL) ?? ''
    const again = (messages: string[]): Submitted => ({ form: 'find ticket', values, errors: {}, messages })
    return orShow(
      async () => {
        await send(registrationApi.findTicket, { payload: { eventId, email } })
        return { status: 200, submitted: again([]) }
      },
      (refusal) => again([refusal.fields[0]?.msg ?? refusal.message]),
    )
  }
  const questions = await send(formApi.getFormQuestions, { eventId })
  const registrationData = valuesOf(data, questions)
  // All that is wrong at once, as the page's script does; the server would name the answers only once the rest is right.
  const errors = errorsIn(registrationData, questions)
  if (Object.keys(errors).length > 0)
    return { status: 422, submitted: { form: 'register', values, errors, messages: [] } }
  return orShow(
    async () => {
      const extras = await send(extrasApi.getExtras, { eventId })
      const { savedRegistration } = await send(registrationApi.initRegistration, {
        newRegistration: { eventId, clubId, registrationData },
        extrasIds: idsOf(extras, wantedIn(values)),
        idempotencyKey,
      })
      if (savedRegistration.status !== 'pending') return { goTo: paths.registered(savedRegistration) }
      // Without script there is no card form in our page: only the bank's own will do.
      const { id: registrationId, qrUuid } = savedRegistration
      const hosted = await send(paymentApi.createCheckout, { payload: { registrationId, qrUuid, hosted: true } }).catch(
        () => null,
      )
      return { goTo: hosted?.checkoutUrl ?? paths.registered(savedRegistration) }
    },
    (refusal) => {
      const { errors, rest } = errorsOf(refusal, questions)
      return { form: 'register', values, errors, messages: refusal.fields.length === 0 ? [wordsOf(refusal)] : rest }
    },
  )
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

/** The form again when it was refused, with why. */
async function orShow(work: () => Promise<AfterForm>, again: (refusal: Refusal) => Submitted): Promise<AfterForm> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { status: error.status, submitted: again(error) }
  }
}
