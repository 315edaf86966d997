import { lazy, type ReactNode, Suspense } from 'react'
import type { Club } from '../../contract/club.ts'
import type { Event } from '../../contract/event.ts'
import type { Extras } from '../../contract/extras.ts'
import type { FormQuestion } from '../../contract/forms.ts'
import type { TicketType } from '../../contract/ticket-type.ts'
import { formatPrice } from '../../contract/values/money.ts'
import * as texts from '../../texts/generated/registration.ts'
import { useIsProving } from '../api/proof-state.ts'
import * as paths from '../paths.ts'
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx'
import { Parts } from '../ui/Parts.tsx'
import { FailureSummary } from './FailureSummary.tsx'
import type { FormParts } from './form-parts-of.ts'
import { PersonFields } from './PersonFields.tsx'
import styles from './RegistrationForm.module.css'
import { draftAnswer } from './registration-values.ts'
import { withTickets } from './ticket-type/chosen-type.ts'
import { perOrderText } from './ticket-type/per-order.ts'
import { MEMBER, REGISTRATION_FORM, TICKET_TYPE } from './typed.ts'
import { useRegistrationForm } from './use-registration-form.ts'

interface Props {
  club: Club
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
  formParts: FormParts
}

/** Loaded when somebody is added. */
const Companions = lazy(() => import('./companions/Companions.tsx'))

/** The visitor's registration form. A failed try keeps the input; a second tap sends the same registration. */
export function RegistrationForm({ club, formParts, ...props }: Props) {
  const { event, questions, extras, now } = props
  const form = useRegistrationForm(props)
  const { draft, ticketTypes, ticketType, total, isSending } = form
  const isProving = useIsProving()
  const perOrder = ticketType ? perOrderText(ticketType) : ''
  const codeField = (
    <LoadedPart>
      <formParts.CodeField {...form.codeField} />
    </LoadedPart>
  )
  return (
    <form
      id={REGISTRATION_FORM}
      ref={form.form}
      // Without JavaScript the form is sent to the page's own address.
      method="post"
      action={form.action}
      data-native
      onSubmit={(submitted) => void form.submit(submitted)}
      onBlur={form.validateLeft}
      onChange={form.change}
      noValidate
    >
      <FailureSummary
        ref={form.summary}
        failure={form.failure}
        isShown={form.hasFailed}
        asked={form.asked}
        questions={questions}
        people={form.people}
      />
      {event.codes === 'tickets' && codeField}
      {form.people.length > 0 && <p className={styles.first}>{texts.person({ place: 1 })}</p>}
      {ticketTypes.length === 1 && ticketType ? (
        // Named in the form even so: staff may add a cheaper one while the page is open.
        <input type="hidden" name={TICKET_TYPE} value={ticketType.id} />
      ) : (
        <LoadedPart>
          <formParts.TicketTypePicker
            types={ticketTypes}
            chosen={ticketType}
            currency={event.currency}
            timeZone={event.timeZone}
            now={now}
            error={form.failure.errors[TICKET_TYPE]}
            onChoose={form.chooseType}
          />
        </LoadedPart>
      )}
      {ticketTypes.some(({ access }) => access === 'member') && (
        <LoadedPart>
          <formParts.MemberField
            name={MEMBER}
            isAsked={ticketType?.access === 'member'}
            drafted={draft[MEMBER]?.[0]}
            error={form.failure.errors[MEMBER]}
          />
        </LoadedPart>
      )}
      <PersonFields
        filledInBy="visitor"
        questions={withTickets(questions, ticketTypes)}
        asked={form.asked}
        phoneField={event.phoneField}
        event={event}
        values={{ name: draft.name?.[0] ?? '', email: draft.email?.[0] ?? '', phone: draft.phone?.[0] ?? '' }}
        answerTo={(question) => draftAnswer(draft, question)}
        errors={form.failure.errors}
      />
      {form.people.length > 0 && (
        <Suspense>
          <Companions
            {...{ event, questions, ticketTypes, ticketType, now, draft }}
            people={form.people}
            added={form.added}
            errors={form.failure.errors}
            onRemove={form.removePerson}
            onChoice={form.noteChoice}
            onNewChoice={form.forgetCodeError}
          />
        </Suspense>
      )}
      {ticketTypes.length === 1 && perOrder !== '' && <p className="muted small">{perOrder}</p>}
      {form.canAdd && (
        <button
          type="button"
          ref={form.addButton}
          className={`button quiet ${styles.add}`}
          onClick={() => void form.addPerson()}
        >
          {texts.addPerson()}
        </button>
      )}
      {extras.length > 0 && (
        <LoadedPart>
          <formParts.VoucherPicker extras={extras} wanted={form.wanted} onChange={form.want} />
        </LoadedPart>
      )}
      {extras.length > 0 && form.people.length > 0 && <p className="muted small">{texts.vouchersWithOwn()}</p>}
      {event.codes === 'prices' && codeField}
      {!ticketType && !form.needsCode && (
        <p className="muted small" role="status">
          {texts.chooseTicket()}
        </p>
      )}
      {total > 0 && form.units > 1 && (
        <LoadedPart>
          <formParts.OrderSum {...form.sum} currency={event.currency} />
        </LoadedPart>
      )}
      {total > 0 && (
        <p className="total" role="status">
          <Parts
            of={texts.total({
              amount: formatPrice(total, event.currency),
              strong: (amount) => <strong>{amount}</strong>,
            })}
          />
          <small>{texts.payNext()}</small>
        </p>
      )}
      {/* Pressing it leaves the focus in the field: an error shown on blur would move the button away from under the finger. */}
      <button
        type="submit"
        className="button wide"
        // Left out otherwise: in the preview of a draft the button really is disabled.
        aria-disabled={isSending || undefined}
        onMouseDown={(press) => press.preventDefault()}
      >
        {isSending
          ? texts.registering()
          : total > 0
            ? texts.registerAndPay({ amount: formatPrice(total, event.currency) })
            : form.people.length > 0
              ? texts.registerPeople({ count: form.people.length + 1 })
              : texts.register()}
      </button>
      <p className={`muted small center ${styles.given}`}>
        <Parts
          of={texts.whoGetsData({
            club: club.name,
            days: event.keepDays ?? club.keepDays,
            link: (text) => <a href={paths.page('privacy-policy')}>{text}</a>,
          })}
        />
      </p>
      {/* Always in the page, so that screen readers announce its changes. */}
      <p className={styles.proving} role="status">
        {isProving && texts.proving()}
      </p>
    </form>
  )
}

/** A part that is loaded separately: the rest of the form stays if it cannot be loaded. */
function LoadedPart({ children }: { children: ReactNode }) {
  return (
    <ErrorBoundary fallback={null}>
      <Suspense>{children}</Suspense>
    </ErrorBoundary>
  )
}
