import { useEffect, useState } from 'react'
import { isDecided, Refusal } from '../../contract/errors.ts'
import { paymentApi } from '../../contract/payments.ts'
import * as texts from '../../texts/generated/registered.ts'
import { call } from '../api/call.ts'
import { useIsRunning } from '../ui/use-is-running.ts'

const ASK_MS = 2_000
/** How often the page asks about the payment before it offers to pay again. */
const MOST_ASKED = 45

/** Asks about the payment until it is final, and then reads the page's data again. Returns whether it is still open. */
export function usePaymentCheck(sessionId: string | null, refresh: () => Promise<void>): boolean {
  const [isOpen, setOpen] = useState(sessionId !== null)
  useEffect(() => {
    if (sessionId === null) return
    let isGone = false
    let isPaid = false
    const ask = async (): Promise<boolean> => {
      try {
        const { status, registrationStatus } = await call(paymentApi.sessionStatus, { sessionId }, { background: true })
        isPaid = status === 'complete'
        if (registrationStatus === 'pending') return status === 'expired'
        await refresh()
        return true
      } catch (error) {
        // Without an answer the page asks again.
        return !(error instanceof Refusal) || isDecided(error)
      }
    }
    const poll = async () => {
      for (let asked = 0; asked < MOST_ASKED && !isGone; asked++) {
        if (await ask()) return setOpen(false)
        await new Promise((resolve) => setTimeout(resolve, ASK_MS))
      }
      // A visitor who has paid must not be asked to pay again.
      if (!isGone) setOpen(isPaid)
    }
    void poll()
    return () => {
      isGone = true
    }
  }, [sessionId, refresh])
  return sessionId !== null && isOpen
}

/** What a visitor who returns from the bank sees until it is known whether they have paid. */
export function NotHeardYet() {
  const isRunning = useIsRunning()
  return (
    <>
      <p role="status">{isRunning ? texts.notHeardGoesOn() : texts.notHeard()}</p>
      <noscript>
        <p>{texts.loadAgain()}</p>
      </noscript>
    </>
  )
}
