import { type ReactNode, useEffect, useRef, useState } from 'react'
import { isRefused, Refusal } from '../../contract/errors.ts'
import type { Event } from '../../contract/event.ts'
import { orderApi } from '../../contract/orders.ts'
import { type Checkout, paymentApi } from '../../contract/payments.ts'
import type { Registration } from '../../contract/registrations.ts'
import { formatTime } from '../../contract/values/dates.ts'
import { formatPrice } from '../../contract/values/money.ts'
import * as texts from '../../texts/generated/checkout.ts'
import { call } from '../api/call.ts'
import * as paths from '../paths.ts'
import { stripeKey } from '../site.ts'
import { Parts } from '../ui/Parts.tsx'
import { useIsRunning } from '../ui/use-is-running.ts'
import { useNow } from '../ui/use-now.ts'
import { showCardForm } from './embedded-checkout.ts'

interface Props {
  registration: Registration
  event: Event
  /** The order that is paid, where that is more than this registration. */
  order?: OrderToPay | undefined
  /** What is paid, line by line. */
  children: ReactNode
  /** Goes to the bank's page without another tap. */
  goesAtOnce?: boolean
  /** Called when the payment may have changed, to read it again. */
  onChange: () => Promise<unknown>
}

/** Several people who are paid for together, by whoever knows the secret of their order. */
interface OrderToPay {
  id: number
  secret: string
  people: number
  /** Minor unit. */
  amount: number
  /** Where the tickets are sent. */
  email: string
}

/** Pays for a registration that is pending, or whose hold has ended, or for all of an order that are. */
export function CheckoutPanel({ registration, event, order, goesAtOnce = false, children, onChange }: Props) {
  const isHeld = registration.status === 'pending'
  const people = order?.people ?? 1
  const toPay = { registration, order, onChange }
  const [hasStarted, setStarted] = useState(isHeld)
  return (
    <section className="card" aria-labelledby="pay">
      <h2 id="pay">{isHeld ? texts.payToConfirm({ people }) : texts.timeIsOver()}</h2>
      {isHeld ? (
        <TimeLeft
          holdExpiresAt={registration.holdExpiresAt}
          email={order?.email ?? registration.registrationData.email}
          event={event}
          people={people}
        />
      ) : (
        <p>{texts.holdEnded({ people })}</p>
      )}
      {children}
      {hasStarted && stripeKey() !== null ? (
        <CardForm {...toPay} goesAtOnce={goesAtOnce} />
      ) : (
        <BankPage
          {...toPay}
          goesAtOnce={goesAtOnce && isHeld}
          onStart={stripeKey() === null ? null : () => setStarted(true)}
        />
      )}
    </section>
  )
}

interface TimeLeftProps {
  holdExpiresAt: Date | null
  email: string
  event: Event
  people: number
}

function TimeLeft({ holdExpiresAt, email, event, people }: TimeLeftProps) {
  const now = useNow()
  const isRunning = useIsRunning()
  if (!holdExpiresAt) return null
  const minutes = Math.max(0, Math.ceil((holdExpiresAt.getTime() - now.getTime()) / 60_000))
  const facts = {
    time: formatTime(holdExpiresAt, event.timeZone),
    email,
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

interface ToPay {
  registration: Registration
  order: OrderToPay | undefined
  onChange: Props['onChange']
}

/** Asks for the way to pay. */
function askForCheckout({ registration, order }: Omit<ToPay, 'onChange'>, hosted: boolean): Promise<Checkout> {
  const how = { ...(hosted && { hosted }) }
  if (order) {
    const payload = { orderId: order.id, secret: order.secret, ...how }
    return call(orderApi.payOrder, { payload }, { quiet: true })
  }
  const payload = { registrationId: registration.id, qrUuid: registration.qrUuid, ...how }
  return call(paymentApi.createCheckout, { payload }, { quiet: true })
}

/** Stripe's form in the page; if it cannot load, the link to Stripe's own page takes its place. */
function CardForm({ registration, order, goesAtOnce, onChange }: Omit<BankPageProps, 'onStart'>) {
  const place = useRef<HTMLDivElement>(null)
  const [problem, setProblem] = useState<string | null>(goesAtOnce ? '' : null)
  const key = stripeKey()
  // The same form as long as the same is paid, however often the page's data are read.
  const what = JSON.stringify([registration.id, registration.qrUuid, order])
  // biome-ignore lint/correctness/useExhaustiveDependencies: `what` stands for the registration and the order.
  useEffect(() => {
    const element = place.current
    if (!element || key === null || goesAtOnce) return
    let isGone = false
    let remove = () => {}
    const show = async () => {
      const { clientSecret } = await askForCheckout({ registration, order }, false)
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
  }, [key, what, goesAtOnce])
  return (
    <>
      <div ref={place} hidden={problem !== null} />
      {problem === null && (
        <noscript>
          <BankForm {...{ registration, order }} />
        </noscript>
      )}
      {problem !== null && (
        <>
          {problem && <p role="alert">{problem}</p>}
          <BankPage {...{ registration, order, goesAtOnce, onChange }} onStart={null} />
        </>
      )}
    </>
  )
}

interface BankPageProps extends ToPay {
  goesAtOnce: boolean
  /** Shows the card form in this page; null to go to the bank's page. */
  onStart: (() => void) | null
}

function BankPage({ registration, order, goesAtOnce, onStart, onChange }: BankPageProps) {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const hasGone = useRef(false)

  async function go(): Promise<void> {
    setBusy(true)
    setProblem(null)
    try {
      const { checkoutUrl } = await askForCheckout({ registration, order }, onStart === null)
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
      <BankForm {...{ registration, order, isBusy }} onSubmit={() => void go()} />
    </>
  )
}

interface BankFormProps extends Omit<ToPay, 'onChange'> {
  isBusy?: boolean
  onSubmit?: () => void
}

/** The button that leads to the bank; without JavaScript the form's answer redirects there. */
function BankForm({ registration, order, isBusy = false, onSubmit }: BankFormProps) {
  const amount = order?.amount ?? registration.amount
  return (
    <form
      data-native
      method="post"
      action={order ? paths.order(order) : paths.registered(registration)}
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
