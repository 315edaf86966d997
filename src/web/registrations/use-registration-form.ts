import { type FormEvent, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { type FieldError, Refusal } from '../../contract/errors.ts'
import type { Event } from '../../contract/event.ts'
import type { Extras } from '../../contract/extras.ts'
import { type FormQuestion, questionsFor } from '../../contract/forms.ts'
import { MOST_IN_ORDER } from '../../contract/order.ts'
import { registrationApi } from '../../contract/registrations.ts'
import { priceOf, type TicketType } from '../../contract/ticket-type.ts'
import { totalOf } from '../../contract/values/money.ts'
import * as texts from '../../texts/generated/registration.ts'
import { useSend } from '../api/use-send.ts'
import { idsOf, type Wanted, wantedIn } from '../extras/wanted.ts'
import { newId } from '../new-id.ts'
import * as paths from '../paths.ts'
import { useRenderedPage } from '../rendered-page.ts'
import { dropRefused, forgetDraft, readTries, saveTry, saveUnpaid, type Try } from './draft.ts'
import { errorsIn, errorsOf, readValues, wordsOf } from './registration-values.ts'
import { chosenType, isHelped, noTicketNow, ticketOfCode } from './ticket-type/chosen-type.ts'
import { CODE, companionsIn, MEMBER, readDraft, saveDraft, TICKET_TYPE, type UsedCode, valuesIn } from './typed.ts'
import { useFieldErrors } from './use-field-errors.ts'

/** The fields of companions and how they are read, in one file. */
const loadCompanions = () => import('./companions/Companions.tsx')

/** Where the call has the ticket type. */
const TICKET_TYPE_FIELD = 'newRegistration.ticketTypeId'

interface Given {
  event: Event
  questions: readonly FormQuestion[]
  extras: readonly Extras[]
  /** Those on sale, in their order. */
  ticketTypes: readonly TicketType[]
  now: Date
  /** Called when the registration has been made and waits to be paid. */
  onUnpaid: () => void
  /** Called when a code is in use, and when it no longer is. */
  onCode: (isInUse: boolean) => void
}

/** The state of a visitor's form: draft, ticket type, vouchers, total and errors; sends it and opens the next page. */
export function useRegistrationForm({ event, questions, extras, ticketTypes: shown, now, onUnpaid, onCode }: Given) {
  const register = useSend(registrationApi.initRegistration, { quiet: true })
  const [isLeaving, setLeaving] = useLeaving()
  const form = useRef<HTMLFormElement>(null)
  // A form that was sent without JavaScript and refused.
  const { submitted, stamp, refresh } = useRenderedPage()
  const refused = submitted?.form === 'register' ? submitted : undefined
  const [draft] = useState(() => refused?.values ?? readDraft(event.id))
  const [wanted, setWanted] = useState(() => wantedIn(refused?.values ?? {}))
  const [typeId, setTypeId] = useState(refused?.values[TICKET_TYPE]?.[0])
  const [people, setPeople] = useState<readonly number[]>([])
  /** The ids of the tickets that they have chosen. */
  const [chosenBy, setChosenBy] = useState<Readonly<Record<number, number | undefined>>>({})
  const noteChoice = useCallback(
    (person: number, id: number | undefined) => setChosenBy((before) => ({ ...before, [person]: id })),
    [],
  )
  const latest = useRef<readonly number[]>([])
  // A number is never used again: the draft may still have what was typed for whoever had it.
  const highest = useRef(1)
  const [added, setAdded] = useState<number | null>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const { phoneField } = event
  const [usedCode, setUsedCode] = useState<UsedCode | null>(null)
  const ticketTypes = usedCode?.types ?? shown
  // Nothing can be had: without a code, or with this one.
  const isGone = ticketTypes.length === 0 || noTicketNow(ticketTypes, now) !== null
  const needsCode = usedCode === null && isGone && event.codes === 'tickets'
  const ticketType = isGone && event.codes === 'tickets' ? undefined : chosenType(ticketTypes, typeId, now)
  const choices = [ticketType?.id, ...people.map((person) => chosenBy[person])]
  const chosen = choices.flatMap((id) => ticketTypes.find((type) => type.id === id) ?? [])
  // Until everybody's choice is known, it may be of use.
  const isCodeOfNoUse =
    usedCode !== null && chosen.length === 1 + latest.current.length && !chosen.some((type) => isHelped(type))
  const asked = questionsFor(questions, ticketType?.id)
  const fields = useFieldErrors({ questions: asked, phoneField }, refused)
  const { setError } = fields
  const failCode = useCallback((message: string | undefined) => setError(CODE, message), [setError])
  const latestUse = useRef<(used: UsedCode | null) => void>(() => {})
  const onUse = useCallback((used: UsedCode | null) => latestUse.current(used), [])
  const applyTyped = useRef<() => void>(() => {})
  const [byDefault] = useState(() => String(chosenType(shown, undefined, now)?.id))
  // Runs after the first render, which has to match the server's. Ticket and vouchers chosen before hydration are in the form's fields.
  useLayoutEffect(() => {
    const values = form.current ? valuesIn(form.current) : {}
    // A drafted one that cannot be had any more is disabled, so that the form has none.
    const inForm = values[TICKET_TYPE]?.[0]
    const isByHand = inForm !== byDefault
    setTypeId((before) => (isByHand ? inForm : undefined) ?? draft[TICKET_TYPE]?.[0] ?? inForm ?? before)
    const drafted = companionsIn(draft)
    latest.current = drafted
    highest.current = Math.max(1, ...drafted)
    // Until their fields are loaded, the draft has them. Without network, sending the form tries again.
    if (drafted.length > 0)
      loadCompanions().then(
        () => setPeople(latest.current),
        () => {},
      )
    const chosen = wantedIn(values)
    setWanted(Object.values(chosen).some((count) => count > 0) ? chosen : wantedIn(draft))
  }, [draft, byDefault])
  const vouchers = extras.map(({ id, name, price }) => ({ name, price, quantity: wanted[id] ?? 0 }))

  async function submit(submitted: FormEvent<HTMLFormElement>): Promise<void> {
    submitted.preventDefault()
    if (register.isPending || isLeaving) return
    const { currentTarget } = submitted
    // Nobody in the draft is left out because their fields have not been loaded.
    if (latest.current.length > people.length) return showDrafted()
    const ticketTypeId = ticketType?.id ?? triedType()
    const asked = questionsFor(questions, ticketTypeId)
    const values = readValues(currentTarget, asked)
    const field = (name: string) => String(new FormData(currentTarget).get(name) ?? '').trim()
    const [typed, memberId] = [field(CODE), ticketType?.access === 'member' ? field(MEMBER) : '']
    const tools = people.length > 0 ? await loadCompanions().catch(() => null) : null
    if (people.length > 0 && !tools) return failToLoad()
    const onlyType = ticketTypes.length === 1 ? ticketTypeId : undefined
    const others = tools?.readCompanions(currentTarget, people, { questions, onlyType })
    const typeIds = [ticketTypeId, ...(others?.companions ?? []).map((each) => each.ticketTypeId)]
    const errors = { ...errorsIn(values, { questions: asked, phoneField }), ...others?.errors }
    // What it is good for has to be seen first.
    if (ticketTypeId === undefined && typed !== '' && usedCode === null) return applyTyped.current()
    if (ticketTypeId === undefined)
      return fields.fail({
        errors: { ...(needsCode ? { [CODE]: texts.needCode() } : { [TICKET_TYPE]: texts.chooseTicket() }), ...errors },
        messages: [],
      })
    if (Object.keys(errors).length > 0) return fields.fail({ errors, messages: [] })
    fields.reset()
    try {
      const { savedRegistration, clientSecret, checkoutUrl, order } = await place({
        newRegistration: {
          eventId: event.id,
          clubId: event.clubId,
          ticketTypeId,
          registrationData: values,
          ...(memberId !== '' && { memberId }),
        },
        extrasIds: idsOf(extras, wanted),
        ...(others && { companions: others.companions }),
        // One that is of no use would be refused; the page says that it is not used.
        ...(typed !== '' && isOfUse(typeIds) && { code: typed }),
      })
      if (savedRegistration.status !== 'pending') forgetDraft(event.id)
      else {
        saveUnpaid(event.id, { ...savedRegistration, order })
        // Opens the bank's own page if its form is not shown in ours.
        if (clientSecret === null && checkoutUrl !== null) {
          onUnpaid()
          setLeaving(true)
          return window.location.assign(checkoutUrl)
        }
      }
      setLeaving(true)
      const ordered = savedRegistration.status === 'pending' ? paths.order : paths.newOrder
      window.location.assign(order ? ordered(order) : paths.registered(savedRegistration))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const isOwn = ({ path }: FieldError) => !path.startsWith('companions.')
      const { errors: own, rest } = errorsOf({ fields: error.fields.filter(isOwn) }, asked)
      // The field says why, with what was typed. A code with some uses left stays in use.
      if (own[CODE] !== undefined && !(error.code === 'CODE_NOT_VALID' && leftOf(error) > 0)) latestUse.current(null)
      const named = { ...own, ...tools?.companionErrors(error.fields, people, others?.companions ?? [], questions) }
      // Fewer places, tickets or vouchers may be left than the page shows, or a phone number may be asked for by now.
      const isSoldOut = error.code === 'VOUCHER_SOLD_OUT' || error.code === 'SOLD_OUT'
      const isOffSale = error.fields.some(({ path }) => path === TICKET_TYPE_FIELD)
      if (isSoldOut || isOffSale || (named.phone !== undefined && phoneField === 'off')) refresh().catch(() => {})
      fields.fail({ errors: named, messages: error.fields.length === 0 ? [wordsOf(error)] : rest })
    }
  }

  /** Whether the code may do something for one of these tickets. One that is only typed is for the server to judge. */
  function isOfUse(typeIds: readonly (number | undefined)[]): boolean {
    return usedCode === null || ticketTypes.some((type) => typeIds.includes(type.id) && isHelped(type))
  }

  /** The type of a try that was not answered: it may have taken the last one. Never one in whose place another was chosen. */
  function triedType(): number | undefined {
    const tried = readTries(event.id)[0]?.newRegistration.ticketTypeId
    return String(tried) === typeId || noTicketNow(ticketTypes, now) !== null ? tried : undefined
  }

  /**
   * Sends it with the key of the earlier tries, so that there is only one registration, whichever arrives. If an earlier try had
   * arrived, that one is the registration, and the page says that it does not include later changes.
   */
  async function place(wish: Try) {
    const before = readTries(event.id)
    const idempotencyKey = before[0]?.idempotencyKey ?? newId()
    const next = { ...wish, idempotencyKey }
    saveTry(event.id, next)
    try {
      return await register.send(next)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      dropRefused(event.id, next, before, error)
      if (error.code !== 'IDEMPOTENCY_MISMATCH') throw error
      return (await settling()).findMade(before, error)
    }
  }

  /**
   * Stores the draft at the end of this task, because the page may be left right after it. Inside a browser event, React has
   * rendered by then. Stores it again later for what is rendered only afterwards: people just added, a code just used.
   */
  function save(): void {
    const store = () => form.current && saveDraft(event.id, form.current, latest.current)
    queueMicrotask(store)
    setTimeout(store)
  }

  function want(next: Wanted): void {
    setWanted(next)
    save()
  }

  function change({ target, currentTarget }: FormEvent<HTMLFormElement>): void {
    save()
    setTimeout(() => fields.clearCorrected(currentTarget, target))
  }

  function setCompanions(next: readonly number[]): void {
    latest.current = next
    setPeople(next)
    fields.clearMessages()
    forgetCodeError()
    save()
  }

  /** What is wrong with the code in use may have been how many it is for. */
  function forgetCodeError(): void {
    if (usedCode !== null) failCode(undefined)
  }

  /** Shows the fields only once they are loaded: without network the form stays as it is. */
  async function addPerson(): Promise<void> {
    const isLoaded = await loadCompanions().then(
      () => true,
      () => false,
    )
    if (!isLoaded) return failToLoad()
    // Not those of the last rendering: the button may have been pressed twice.
    const next = Math.max(highest.current, ...latest.current) + 1
    highest.current = next
    setAdded(next)
    setCompanions([...latest.current, next])
  }

  function showDrafted(): Promise<void> {
    return loadCompanions().then(() => setPeople(latest.current), failToLoad)
  }

  function failToLoad(): void {
    fields.fail({ errors: {}, messages: [new Refusal('UNAVAILABLE').message] })
  }

  function removePerson(person: number): void {
    setCompanions(latest.current.filter((each) => each !== person))
    addButton.current?.focus()
  }

  latestUse.current = (used) => {
    setUsedCode(used)
    // Somebody alone who has just used a code for one ticket wants that one. Read again later, it changes no choice.
    const isNew = used !== null && used.code !== usedCode?.code
    const only = isNew && latest.current.length === 0 ? ticketOfCode(used.types, now) : undefined
    if (only) setTypeId(String(only.id))
    // The draft has it, and no longer has one that was removed.
    save()
    onCode(used !== null)
  }
  const ofTickets = chosen.reduce((sum, type) => sum + priceOf(type), 0)
  const total = ticketType ? totalOf(ofTickets, vouchers) : 0
  const action = `${paths.event(event)}?form=${stamp}`
  return {
    form,
    action,
    asked,
    draft,
    wanted,
    want,
    total,
    /** What it is made up of. */
    sum: { chosen, vouchers },
    units: vouchers.reduce((count, { quantity }) => count + quantity, chosen.length),
    ticketTypes,
    ticketType,
    needsCode,
    codeField: {
      event,
      ticketTypes: shown,
      drafted: draft[CODE]?.[0] ?? '',
      used: usedCode,
      isOfNoUse: isCodeOfNoUse,
      isOptional: !needsCode,
      error: fields.failure.errors[CODE],
      onUse,
      applyTyped,
      onWrong: failCode,
    },
    chooseType: ({ id }: TicketType) => {
      setTypeId(String(id))
      fields.clearMessages()
      // They may have been about the ticket chosen before.
      failCode(undefined)
      setError(MEMBER, undefined)
    },
    people,
    added,
    addButton,
    canAdd: people.length < MOST_IN_ORDER - 1,
    noteChoice,
    forgetCodeError,
    addPerson,
    removePerson,
    isSending: register.isPending || isLeaving,
    submit,
    change,
    ...fields,
  }
}

/** How many are left of what an order has asked too many of; 0 where the refusal does not say. */
function leftOf({ payload }: Refusal): number {
  const left = typeof payload === 'object' && payload !== null && 'left' in payload ? payload.left : 0
  return typeof left === 'number' ? left : 0
}

/** Whether the next page is loading; reset when the browser shows this page again from its cache. */
function useLeaving() {
  const [isLeaving, setLeaving] = useState(false)
  useEffect(() => {
    const stay = () => setLeaving(false)
    window.addEventListener('pageshow', stay)
    return () => window.removeEventListener('pageshow', stay)
  }, [])
  return [isLeaving, setLeaving] as const
}

/** Loads `settle-tries.ts`; if that fails, there is no network, so it refuses with UNAVAILABLE. */
function settling() {
  return import('./settle-tries.ts').catch(() => {
    throw new Refusal('UNAVAILABLE')
  })
}
