import { Button, NativeSelect } from '@mantine/core'
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type FormEvent, Suspense, useRef, useState } from 'react'
import { Refusal } from '../../contract/errors.ts'
import type { Event } from '../../contract/event.ts'
import { visitorExtrasApi } from '../../contract/extras.ts'
import { formApi, questionsFor } from '../../contract/forms.ts'
import { isCompanion } from '../../contract/order.ts'
import type { Registration } from '../../contract/registrations.ts'
import {
  onSale,
  type TicketType,
  type TypeOfTicket,
  ticketsLeft,
  visitorTicketTypeApi,
} from '../../contract/ticket-type.ts'
import { ticketApi } from '../../contract/tickets.ts'
import * as texts from '../../texts/generated/attendees.ts'
import * as registrationTexts from '../../texts/generated/registration.ts'
import { query } from '../api/query.ts'
import { PersonFields } from '../registrations/PersonFields.tsx'
import { errorsOf, type FieldErrors, readValues } from '../registrations/registration-values.ts'
import { DialogButtons } from '../ui/buttons/DialogButtons.tsx'
import { FormDialog } from '../ui/dialogs/FormDialog.tsx'
import { Attention } from '../ui/forms/Attention.tsx'
import { EditConflict } from '../ui/forms/EditConflict.tsx'
import { useErrorFocus } from '../ui/forms/use-error-focus.ts'
import { Loading } from '../ui/Loading.tsx'
import { notify } from '../ui/notices/notify.ts'
import { countsToIds, GivenVouchers, idsToCounts } from './GivenVouchers.tsx'
import { type Add, useSaveOnce } from './use-save-once.ts'

/** What is known of somebody who is to be added. */
interface Draft {
  registrationData: {
    name: string
    email: string
    phone: string
    others: readonly { qId: number; answer?: string | string[] | undefined }[]
  }
  ticketTypeId: number | null
  extrasIds: readonly number[]
}

interface Props {
  event: Pick<Event, 'id' | 'timeZone'> & Partial<Pick<Event, 'dialCode'>>
  /** The registration to correct; null to add somebody. */
  registration: Registration | null
  /** Its ticket type; null where the event has never had another. */
  ticketType?: TypeOfTicket | null
  onClose: () => void
  /** What the form starts with when somebody is added. */
  draft?: Draft
  /** How somebody is added; left out, by the server. */
  add?: Add
  /** Whether there is no network, so that only what is not counted can be given. */
  isOffline?: boolean
  /** Called with what was saved, after the dialog has closed; with the name alone when the server does not know it yet. */
  onSaved?: (registration: Registration | null, name: string) => void
}

/** Staff add somebody, confirmed at once, or correct a registration. */
export function RegistrationDialog(props: Props) {
  const title = props.registration ? texts.editDetails() : texts.add()
  const client = useQueryClient()
  // Each version has its own form; while one is being filled in, a newer version does not replace it.
  const [registration, setRegistration] = useState(props.registration)
  const [isDirty, setDirty] = useState(false)
  const save = useSaveOnce(props.add)
  async function reload(): Promise<void> {
    if (!registration) return
    const latest = query(ticketApi.getRegistration, { registrationId: registration.id })
    setRegistration((await client.fetchQuery({ ...latest, staleTime: 0 })).registration)
    setDirty(false)
    save.reset()
  }
  return (
    <FormDialog isDirty={isDirty} isBusy={save.isPending} onClose={props.onClose} title={title} size="lg">
      <Suspense fallback={<Loading />}>
        <DialogForm
          key={registration?.version}
          {...props}
          registration={registration}
          save={save}
          onReload={reload}
          onDirty={() => setDirty(true)}
        />
      </Suspense>
    </FormDialog>
  )
}

interface FormProps extends Props {
  save: ReturnType<typeof useSaveOnce>
  onReload: () => Promise<void>
  onDirty: () => void
}

function DialogForm({ event, registration, ticketType = null, save, onReload, onDirty, ...own }: FormProps) {
  const { isOffline = false, draft, onClose, onSaved } = own
  const { data: questions } = useSuspenseQuery(query(formApi.getFormQuestions, { eventId: event.id }))
  // Without them somebody is added with the first type, and every question is shown; the form does not wait, least of all at the door.
  const { data: types } = useQuery(query(visitorTicketTypeApi.getTicketTypes, { eventId: event.id }))
  const sold = onSale(types ?? [])
  const { data: extras } = useQuery({
    ...query(visitorExtrasApi.getExtras, { eventId: event.id }),
    enabled: registration === null,
  })
  const [counts, setCounts] = useState(() => idsToCounts(draft?.extrasIds ?? []))
  // A draft may name what has gone off sale since. While the list is not known, the server decides.
  const vouchers = extras ? new Map([...counts].filter(([id]) => extras.some((each) => each.id === id))) : counts
  const isTypeGone =
    draft != null &&
    draft.ticketTypeId !== null &&
    types !== undefined &&
    sold.every(({ id }) => id !== draft.ticketTypeId)
  // Proposed once: a list that is read again must not change it while the form is filled in.
  const [chosenId, setChosenId] = useState<number>()
  const proposed =
    sold.find(({ id }) => id === draft?.ticketTypeId) ?? (isTypeGone ? undefined : (firstLeft(sold) ?? sold[0]))
  if (chosenId === undefined && proposed) setChosenId(proposed.id)
  const chosen = sold.length === 1 ? sold[0] : sold.find(({ id }) => id === chosenId)
  const asked = questionsFor(
    questions,
    registration ? (ticketType?.id ?? null) : types ? chosen?.id : null,
    registration !== null && isCompanion(registration),
  )
  const [errors, setErrors] = useState<FieldErrors>({})
  const form = useErrorFocus(errors)
  const [messages, setMessages] = useState<string[]>([])
  const isSubmitting = useRef(false)
  const data = registration?.registrationData ?? draft?.registrationData
  const canResend = registration?.status === 'confirmed'

  async function submit(submitted: FormEvent<HTMLFormElement>): Promise<void> {
    submitted.preventDefault()
    // A second tap may come before the button shows that it is busy.
    if (isSubmitting.current) return
    if (!registration && sold.length > 1 && !chosen) return setMessages([registrationTexts.chooseTicket()])
    const registrationData = readValues(submitted.currentTarget, asked)
    isSubmitting.current = true
    try {
      const id = registration ? { id: registration.id, version: registration.version } : {}
      const resend = canResend && new FormData(submitted.currentTarget).has('resend')
      const saved = await save.mutateAsync({
        ...id,
        ...(!registration && sold.length > 1 && { ticketTypeId: chosen?.id }),
        eventId: event.id,
        registrationData,
        resend,
        extrasIds: countsToIds(vouchers),
      })
      onClose()
      onSaved?.(saved, registrationData.name)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      // Shown below, with a button that loads the latest version.
      if (error.code === 'EDIT_CONFLICT') {
        setErrors({})
        return setMessages([])
      }
      const { errors: named, rest } = errorsOf(error, asked)
      setErrors(named)
      setMessages(error.fields.length === 0 ? [error.message] : rest)
    } finally {
      isSubmitting.current = false
    }
  }
  return (
    <form ref={form} onSubmit={(submitted) => void submit(submitted)} onInput={onDirty} noValidate>
      {save.error?.code === 'EDIT_CONFLICT' && (
        <EditConflict onReload={() => void onReload().catch(() => notify('error', texts.noConnection()))} />
      )}
      <Attention count={Object.keys(errors).length} />
      {messages.map((message) => (
        <p className="problem" role="alert" key={message}>
          {message}
        </p>
      ))}
      {isTypeGone && <p className="problem">{texts.draftTicketGone()}</p>}
      {vouchers.size < counts.size && <p className="problem">{texts.draftVouchersGone()}</p>}
      {!registration && sold.length > 1 && (
        <TypeSelect types={sold} chosen={chosen} isOffline={isOffline} onChoose={setChosenId} />
      )}
      <PersonFields
        filledInBy="staff"
        questions={questions}
        asked={asked}
        phoneField="optional"
        event={event}
        values={data}
        answerTo={({ id }) => data?.others.find(({ qId }) => qId === id)?.answer}
        errors={errors}
      />
      {!registration && (
        <GivenVouchers sold={extras ?? []} isOffline={isOffline} counts={vouchers} onChange={setCounts} />
      )}
      {canResend && (
        <label className="choice">
          <input type="checkbox" name="resend" value="yes" />
          {texts.sendAgainAbove()}
        </label>
      )}
      <DialogButtons>
        <Button variant="default" onClick={onClose}>
          {texts.closeWithoutSaving()}
        </Button>
        <Button type="submit" loading={save.isPending}>
          {registration ? texts.save() : texts.addShort()}
        </Button>
      </DialogButtons>
    </form>
  )
}

const firstLeft = (types: readonly TicketType[]) => types.find((type) => ticketsLeft(type) !== 0)

interface TypeSelectProps {
  types: readonly TicketType[]
  /** Undefined when the chosen one is no longer on sale. */
  chosen: TicketType | undefined
  isOffline: boolean
  onChoose: (id: number) => void
}

/** Staff may also give tickets outside their times of sale. */
function TypeSelect({ types, chosen, isOffline, onChoose }: TypeSelectProps) {
  return (
    <NativeSelect
      label={texts.columnTicket()}
      mb="md"
      data={[
        ...(chosen ? [] : [{ label: registrationTexts.choose(), value: '', disabled: true }]),
        ...types.map((type) => {
          const left = ticketsLeft(type)
          return {
            label: left === null ? type.name : texts.ticketWithLeft({ name: type.name, count: left }),
            value: String(type.id),
            disabled: left === 0 || (isOffline && left !== null),
          }
        }),
      ]}
      value={chosen?.id ?? ''}
      onChange={({ target }) => onChoose(Number(target.value))}
    />
  )
}
