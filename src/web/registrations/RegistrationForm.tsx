import { useSuspenseQuery } from '@tanstack/react-query'
import { type FocusEvent, type FormEvent, lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { isRefused, Refusal } from '../../contract/errors.ts'
import type { Event } from '../../contract/events.ts'
import { extrasApi } from '../../contract/extras.ts'
import { type FormQuestion, formApi, typeOf } from '../../contract/forms.ts'
import { registrationApi } from '../../contract/registrations.ts'
import { formatPrice, totalOf } from '../../contract/values/money.ts'
import { query, useCall } from '../api/call.ts'
import { useIsProving } from '../api/proof-state.ts'
import { queryClient } from '../api/query-client.ts'
import type { VoucherPicker as Picker } from '../extras/VoucherPicker.tsx'
import { idsOf, type Wanted, wantedIn } from '../extras/wanted.ts'
import { QuestionField } from '../forms/QuestionField.tsx'
import { newId } from '../new-id.ts'
import { paths } from '../paths.ts'
import { Field } from '../ui/Field.tsx'
import { PhoneField } from '../ui/PhoneField.tsx'
import {
  type Draft,
  dropRefused,
  forgetDraft,
  readDraft,
  readTries,
  saveDraft,
  saveTry,
  saveUnpaid,
  type Try,
} from './draft.ts'
import { errorsIn, errorsOf, type FieldErrors, questionName, readValues } from './registration-values.ts'

// Few events sell them. Without them the form works all the same.
const VoucherPicker = lazy(async (): Promise<{ default: typeof Picker }> => {
  const loaded = await import('../extras/VoucherPicker.tsx').catch(() => null)
  return { default: loaded?.VoucherPicker ?? NoPicker }
})

interface Failure {
  errors: FieldErrors
  /** What belongs to no field. */
  messages: string[]
}

const nothingWrong: Failure = { errors: {}, messages: [] }

interface Props {
  event: Event
  /** It is registered, and waits to be paid. */
  onUnpaid: () => void
}

/** What a visitor fills in. A failed try keeps all that was typed; a second tap is the same registration. */
export function RegistrationForm({ event, onUnpaid }: Props) {
  const { data: questions } = useSuspenseQuery(query(formApi.getFormQuestions, { eventId: event.id }))
  const { data: extras } = useSuspenseQuery(query(extrasApi.getExtras, { eventId: event.id }))
  const [, navigate] = useLocation()
  const register = useCall(registrationApi.initRegistration, { quiet: true })
  const isProving = useIsProving()
  const summary = useRef<HTMLDivElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const [failure, setFailure] = useState(nothingWrong)
  const [draft] = useState(() => readDraft(event.id))
  const [wanted, setWanted] = useState(() => wantedIn(draft))
  const vouchers = extras.map(({ id, price }) => ({ price, quantity: wanted[id] ?? 0 }))
  const total = totalOf(event.ticketPrice, vouchers)
  const { errors } = failure

  // The summary takes the focus when a try failed, so that screen readers read it and keyboards are at it.
  const [failures, setFailures] = useState(0)
  useEffect(() => {
    if (failures > 0) summary.current?.focus()
  }, [failures])
  const fail = (next: Failure) => {
    setFailure(next)
    setFailures((count) => count + 1)
  }

  async function submit(submitted: FormEvent<HTMLFormElement>): Promise<void> {
    submitted.preventDefault()
    if (register.isPending) return
    const values = readValues(submitted.currentTarget, questions)
    const wrong = errorsIn(values, questions)
    if (Object.keys(wrong).length > 0) return fail({ errors: wrong, messages: [] })
    setFailure(nothingWrong)
    try {
      const { savedRegistration, clientSecret, checkoutUrl } = await place({
        newRegistration: { eventId: event.id, clubId: event.clubId, registrationData: values },
        extrasIds: idsOf(extras, wanted),
      })
      if (savedRegistration.status !== 'pending') forgetDraft(event.id)
      else {
        saveUnpaid(event.id, savedRegistration)
        // The bank's own page, where its form is not shown in ours.
        if (clientSecret === null && checkoutUrl !== null) {
          onUnpaid()
          return window.location.assign(checkoutUrl)
        }
      }
      navigate(paths.registered(savedRegistration))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      // What is left may be less than the page says.
      if (error.code === 'VOUCHER_SOLD_OUT' || error.code === 'SOLD_OUT') void queryClient.invalidateQueries()
      const { errors: named, rest } = errorsOf(error, questions)
      fail({
        errors: named,
        messages: error.fields.length === 0 ? [wordsOf(error)] : rest,
      })
    }
  }

  /**
   * Sends it with the key of the tries before, so that it is one registration whichever arrives. When one of those had arrived,
   * that one is the registration, and what was changed since is said to be missing.
   */
  async function place(wish: Try) {
    const before = readTries(event.id)
    const idempotencyKey = before[0]?.idempotencyKey ?? newId()
    const next = { ...wish, idempotencyKey }
    saveTry(event.id, next)
    try {
      return await register.mutateAsync(next)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      dropRefused(event.id, next, before, error)
      if (error.code !== 'IDEMPOTENCY_MISMATCH') throw error
      return (await settling()).findMade(before, error)
    }
  }

  function want(next: Wanted): void {
    setWanted(next)
    setTimeout(() => form.current && saveDraft(event.id, form.current))
  }

  const wrongNow = (form: HTMLFormElement, name: string) => errorsIn(readValues(form, questions), questions)[name]
  const mark = (name: string, message: string | undefined) =>
    setFailure(({ errors: { [name]: _, ...others }, messages }) => ({
      errors: message === undefined ? others : { ...others, [name]: message },
      messages,
    }))

  /** A field is judged when it is left, not at every key. */
  function judge({ target, currentTarget }: FocusEvent<HTMLFormElement>): void {
    const name = nameOf(target)
    const message = name === '' ? undefined : wrongNow(currentTarget, name)
    if (message !== undefined) mark(name, message)
  }

  /**
   * An error goes as soon as the field is right, while it is typed: were it to go when the field is left for the button, the
   * button would move away under the finger. All this after React has written what hangs on the field.
   */
  function follow({ target, currentTarget: form }: FormEvent<HTMLFormElement>): void {
    const name = nameOf(target)
    setTimeout(() => {
      saveDraft(event.id, form)
      if (errors[name] !== undefined && wrongNow(form, name) === undefined) mark(name, undefined)
    })
  }

  return (
    <form ref={form} onSubmit={(submitted) => void submit(submitted)} onBlur={judge} onChange={follow} noValidate>
      <Summary ref={summary} failure={failure} isShown={failures > 0} questions={questions} />
      <Field label="Name" name="name" autoComplete="name" required defaultValue={draft.name?.[0]} error={errors.name} />
      <Field
        label="E-mail"
        name="email"
        type="email"
        inputMode="email"
        autoComplete="email"
        required
        help="Your ticket is sent to this address."
        defaultValue={draft.email?.[0]}
        error={errors.email}
      />
      <PhoneField
        label="Phone"
        name="phone"
        timeZone={event.timeZone}
        defaultValue={draft.phone?.[0]}
        error={errors.phone}
      />
      {questions.map((question) => (
        <QuestionField
          key={question.id}
          question={question}
          name={questionName(question)}
          answer={draftAnswer(draft, question)}
          error={errors[questionName(question)]}
        />
      ))}
      {extras.length > 0 && (
        <Suspense>
          <VoucherPicker extras={extras} wanted={wanted} onChange={want} />
        </Suspense>
      )}
      {total > 0 && (
        <p className="total" role="status">
          Total <strong>{formatPrice(total, event.currency)}</strong>
        </p>
      )}
      {/* The field before keeps the focus: an error that shows as it is left would push the button away under the finger. */}
      <button
        type="submit"
        className="button wide"
        aria-disabled={register.isPending}
        onMouseDown={(press) => press.preventDefault()}
      >
        {register.isPending ? 'Registering …' : total > 0 ? 'Register and pay' : 'Register'}
      </button>
      {/* Always there, so that screen readers tell when it has something to say. */}
      <p className="proving" role="status">
        {isProving && 'Checking that you are not a robot …'}
      </p>
    </form>
  )
}

function NoPicker() {
  return <p role="alert">The vouchers could not be loaded. Please reload the page to buy some.</p>
}

/** The name under which a field's value is read; the phone's visible field is not the one that is read. */
function nameOf(target: EventTarget): string {
  if (!(target instanceof HTMLElement)) return ''
  return target.getAttribute('name') ?? target.dataset.name ?? ''
}

interface SummaryProps {
  ref: React.Ref<HTMLDivElement>
  failure: Failure
  isShown: boolean
  questions: readonly FormQuestion[]
}

const labels: Readonly<Record<string, string>> = { name: 'Name', email: 'E-mail', phone: 'Phone' }

/** In the form's order, so that a line stays where it is while others go; each leads to its field. */
function Summary({ ref, failure: { errors, messages }, isShown, questions }: SummaryProps) {
  const names = [...Object.keys(labels), ...questions.map(questionName)].filter((name) => errors[name] !== undefined)
  if (!isShown || names.length + messages.length === 0) return null
  return (
    <div className="problem" role="alert" ref={ref} tabIndex={-1}>
      <ul>
        {messages.map((message) => (
          <li key={message}>{message}</li>
        ))}
        {names.map((name) => (
          <li key={name}>
            <button type="button" className="link" onClick={({ currentTarget }) => goTo(currentTarget, name)}>
              {withColon(labels[name] ?? questions.find((each) => questionName(each) === name)?.text ?? '')}{' '}
              {errors[name]}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** A question that ends with a mark of its own needs no colon. */
const withColon = (label: string) => (/[?!:.]$/.test(label) ? label : `${label}:`)

/** Puts the focus into the field that a line of the summary is about. */
function goTo(from: Element, name: string): void {
  const field = `[data-name="${name}"], [name="${name}"]:not([type="hidden"])`
  from.closest('form')?.querySelector<HTMLElement>(field)?.focus()
}

/** Without network it does not come either. */
function settling() {
  return import('./settle-tries.ts').catch(() => {
    throw new Refusal('UNAVAILABLE')
  })
}

/** A try that may have arrived has a key: the same again is no second registration. */
function wordsOf(error: Refusal): string {
  const isKnown: boolean = isRefused(error)
  return isKnown ? error.message : `${error.message} Trying again never registers you twice.`
}

function draftAnswer(draft: Draft, question: FormQuestion) {
  const answers = draft[questionName(question)]
  return typeOf(question) === 'Checkboxes' ? answers : answers?.[0]
}
