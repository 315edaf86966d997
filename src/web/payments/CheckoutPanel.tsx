import { type ReactNode, useEffect, useRef, useState } from 'react'
import { isRefused, Refusal } from '../../contract/errors.ts'
import type { Event } from '../../contract/event.ts'
import { paymentApi } from '../../contract/payments.ts'
import type { Registration } from '../../contract/registrations.ts'
import { formatTime } from '../../contract/values/dates.ts'
import { formatPrice } from '../../contract/values/money.ts'
import * as texts from '../../texts/generated/checkout.ts'
import { call } from '../api/call.ts'
import { paths } from '../paths.ts'
import { stripeKey } from '../site.ts'
import { Parts } from '../ui/Parts.tsx'
import { useIsRunning } from '../ui/use-is-running.ts'
import { useNow } from '../ui/use-now.ts'
import { showCardForm } from './embedded-checkout.ts'

interface Props {
  registration: Registration
  event: Event
  /** How many people it is for, and how much, where a registration is paid together with others. */
  together?: { people: number; amount: number } | null
  /** What is paid, line by line. */
  children: ReactNode
  /** Goes to the bank's page without another tap. */
  goesAtOnce?: boolean
  /** Called when the payment may have changed, to read it again. */
  onChange: () => Promise<unknown>
}

/** Pays for a registration that is pending, or whose hold has ended, and for those that are paid together with it. */
export function CheckoutPanel({ registration, event, together, goesAtOnce = false, children, onChange }: Props) {
  const isHeld = registration.status === 'pending'
  const { people, amount } = together ?? { people: 1, amount: registration.amount }
  const [hasStarted, setStarted] = useState(isHeld)
  return (
    <section className="card" aria-labelledby="pay">
      <h2 id="pay">{isHeld ? texts.payToConfirm({ people }) : texts.timeIsOver()}</h2>
      {isHeld ? (
        <TimeLeft registration={registration} event={event} people={people} />
      ) : (
        <p>{texts.holdEnded({ people })}</p>
      )}
      {children}
      {hasStarted && stripeKey() !== null ? (
        <CardForm registration={registration} amount={amount} goesAtOnce={goesAtOnce} onChange={onChange} />
      ) : (
        <BankPage
          registration={registration}
          amount={amount}
          goesAtOnce={goesAtOnce && isHeld}
          onStart={stripeKey() === null ? null : () => setStarted(true)}
          onChange={onChange}
        />
      )}
    </section>
  )
}

function TimeLeft({
  registration: { holdExpiresAt, registrationData },
  event,
  people,
}: {
  registration: Registration
  event: Event
  people: number
}) {
  const now = useNow()
  const isRunning = useIsRunning()
  if (!holdExpiresAt) return null
  const minutes = Math.max(0, Math.ceil((holdExpiresAt.getTime() - now.getTime()) / 60_000))
  const facts = {
    time: formatTime(holdExpiresAt, event.timeZone),
    email: registrationData.email,
    people,
    strong: (email: string) => <strong>{email}</strong>,
  }
  return (
    <p>
      {/* The server's HTML may be a minute old. */}
      <Parts of={isRunning && minutes > 0 ? texts.keptFor({ ...facts, minutes }) : texts.keptUntil(facts)} />
    </p>
  )
}

/** Stripe's form in the page; if it cannot load, the link to Stripe's own page takes its place. */
function CardForm({ registration, amount, goesAtOnce, onChange }: Omit<BankPageProps, 'onStart'>) {
  const { id: registrationId, qrUuid } = registration
  const place = useRef<HTMLDivElement>(null)
  const [problem, setProblem] = useState<string | null>(goesAtOnce ? '' : null)
  const key = stripeKey()
  useEffect(() => {
    const element = place.current
    if (!element || key === null || goesAtOnce) return
    let isGone = false
    let remove = () => {}
    const show = async () => {
      const { clientSecret } = await call(
        paymentApi.createCheckout,
        { payload: { registrationId, qrUuid } },
        { quiet: true },
      )
      if (clientSecret === null) throw new Error('There is no embedded session.')
      const taken = await showCardForm(key, clientSecret, element)
      if (isGone) taken()
      else remove = taken
    }
    show().catch((error: unknown) => {
      if (!isGone) setProblem(error instanceof Refusal ? error.message : texts.noCardForm())
    })
    return () => {
      isGone = true
      remove()
    }
  }, [key, registrationId, qrUuid, goesAtOnce])
  return (
    <>
      <div ref={place} hidden={problem !== null} />
      {problem === null && (
        <noscript>
          <BankForm registration={registration} amount={amount} />
        </noscript>
      )}
      {problem !== null && (
        <>
          {problem && <p role="alert">{problem}</p>}
          <BankPage
            registration={registration}
            amount={amount}
            goesAtOnce={goesAtOnce}
            onStart={null}
            onChange={onChange}
          />
        </>
      )}
    </>
  )
}

interface BankPageProps {
  registration: Registration
  /** What is to be paid, in the minor unit. */
  amount: number
  goesAtOnce: boolean
  /** Shows the card form in this page; null to go to the bank's page. */
  onStart: (() => void) | null
  onChange: Props['onChange']
}

function BankPage({ registration, amount, goesAtOnce, onStart, onChange }: BankPageProps) {
  const { id: registrationId, qrUuid } = registration
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const hasGone = useRef(false)

  async function go(): Promise<void> {
    setBusy(true)
    setProblem(null)
    try {
      const payload = { registrationId, qrUuid, ...(onStart === null && { hosted: true }) }
      const { checkoutUrl } = await call(paymentApi.createCheckout, { payload }, { quiet: true })
      if (onStart) onStart()
      else if (checkoutUrl !== null) return window.location.assign(checkoutUrl)
      await onChange()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      setProblem(error.message)
      // Already paid in another window or no longer payable, so the page is refreshed.
      if (isRefused(error)) await onChange()
    }
    setBusy(false)
  }
  useEffect(() => {
    if (!goesAtOnce || hasGone.current) return
    hasGone.current = true
    // Returning from the bank must not lead there again.
    const here = new URL(window.location.href)
    here.searchParams.delete('pay')
    window.history.replaceState(window.history.state, '', here)
    void go()
  })
  return (
    <>
      {problem && <p role="alert">{problem}</p>}
      <BankForm registration={registration} amount={amount} isBusy={isBusy} onSubmit={() => void go()} />
    </>
  )
}

interface BankFormProps {
  registration: Registration
  amount: number
  isBusy?: boolean
  onSubmit?: () => void
}

/** The button that leads to the bank; without JavaScript the form's answer redirects there. */
function BankForm({ registration, amount, isBusy = false, onSubmit }: BankFormProps) {
  return (
    <form
      data-native
      method="post"
      action={paths.registered(registration)}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) onSubmit?.()
      }}
    >
      <p className="muted small">{texts.paysWithStripe()}</p>
      <button type="submit" className="button wide" aria-disabled={isBusy}>
        {isBusy ? texts.oneMoment() : texts.payByCard({ amount: formatPrice(amount, registration.currency) })}
      </button>
    </form>
  )
}
