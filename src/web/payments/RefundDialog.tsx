import { Button, Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { isRefused, Refusal } from '../../contract/errors.ts'
import { paymentApi } from '../../contract/payments.ts'
import type { PaymentSummary, Registration } from '../../contract/registrations.ts'
import { ticketApi } from '../../contract/tickets.ts'
import { formatPrice } from '../../contract/values/money.ts'
import { exactAmount, minorUnits } from '../../contract/values/typed-amounts.ts'
import * as texts from '../../texts/generated/refund.ts'
import { useCall } from '../api/query.ts'
import { DialogButtons } from '../ui/buttons/DialogButtons.tsx'
import { FormDialog } from '../ui/dialogs/FormDialog.tsx'
import { useErrorFocus } from '../ui/forms/use-error-focus.ts'
import { useNoticeFocus } from '../ui/notices/use-notice-focus.ts'
import { forgetRefundKey, refundKey } from './refund-keys.ts'

interface Props {
  registration: Registration
  payment: PaymentSummary
  onClose: () => void
  /** What is lost with a full refund, which cancels the registration. */
  children?: ReactNode
}

/** Refunds money to the card: all that is left, or a part. */
export function RefundDialog({ registration, payment: latest, onClose, children }: Props) {
  const refund = useCall(paymentApi.refund)
  const client = useQueryClient()
  // While the outcome of an attempt is unknown, the dialog asks about that attempt, with the amounts of that moment.
  const [unanswered, setUnanswered] = useState<PaymentSummary | null>(null)
  const [hasArrived, setArrived] = useState(false)
  const payment = unanswered ?? latest
  const { paid, refunded, currency } = payment
  const left = paid - refunded
  const [all] = useState(() => exactAmount(left, currency))
  const [typed, setTyped] = useState(all)
  const [error, setError] = useState<string>()
  const form = useErrorFocus(error)
  const amount = minorUnits(typed, currency)
  const title = texts.giveBackTo({ name: registration.registrationData.name })
  const readAnew = () => void client.invalidateQueries({ queryKey: [ticketApi.getRegistration.path] })

  async function submit(submitted: FormEvent): Promise<void> {
    submitted.preventDefault()
    if (amount === null || amount <= 0) return setError(texts.moreThanZero())
    if (amount > left) return setError(texts.atMost({ amount: formatPrice(left, currency) }))
    try {
      const { id: registrationId, eventId } = registration
      const payload = { registrationId, eventId, idempotencyKey: refundKey(registrationId, refunded) }
      await refund.mutateAsync({ payload: amount === left ? payload : { ...payload, amount } })
      forgetRefundKey(registrationId, refunded)
      onClose()
    } catch (failure) {
      if (!(failure instanceof Refusal)) throw failure
      if (failure.code === 'IDEMPOTENCY_MISMATCH') {
        readAnew()
        return setArrived(true)
      }
      if (!isRefused(failure)) {
        readAnew()
        setUnanswered(payment)
      }
      setError(failure.message)
    }
  }
  if (hasArrived)
    return (
      <FormDialog isDirty={false} isBusy={false} onClose={onClose} title={title}>
        <Arrived onClose={onClose} />
      </FormDialog>
    )
  return (
    <FormDialog isDirty={typed !== all} isBusy={refund.isPending} onClose={onClose} title={title} size="lg">
      <form ref={form} onSubmit={(submitted) => void submit(submitted)} noValidate>
        <Stack>
          <p>
            {refunded > 0
              ? texts.paidAndBack({ amount: formatPrice(paid, currency), back: formatPrice(refunded, currency) })
              : texts.paid({ amount: formatPrice(paid, currency) })}
          </p>
          <TextInput
            label={texts.amountIn({ currency: currency.toUpperCase() })}
            inputMode="decimal"
            value={typed}
            error={error}
            errorProps={{ role: 'alert' }}
            onChange={({ target }) => {
              setTyped(target.value)
              setError(undefined)
            }}
            data-autofocus
          />
          <p className="muted small">{amount === left ? texts.fullText() : texts.partText()}</p>
          {payment.atDoorLeft > 0 && (
            <p>
              <strong>{texts.byHand({ amount: formatPrice(payment.atDoorLeft, currency) })}</strong>
            </p>
          )}
          {amount === left && children}
          <DialogButtons>
            <Button variant="default" onClick={onClose}>
              {texts.closeWithoutARefund()}
            </Button>
            <Button type="submit" color="red" loading={refund.isPending}>
              {actionWords(amount, left, currency)}
            </Button>
          </DialogButtons>
        </Stack>
      </form>
    </FormDialog>
  )
}

/** What the button does, with its amount once that is complete. */
function actionWords(amount: number | null, left: number, currency: string): string {
  if (amount === null || amount <= 0 || amount > left) return texts.giveBack()
  const shown = { amount: formatPrice(amount, currency) }
  return amount === left ? texts.giveBackAndCancel(shown) : texts.giveBackAmount(shown)
}

/** Shown when the earlier attempt had arrived: the later amount is not refunded before staff have seen what was. */
function Arrived({ onClose }: { onClose: () => void }) {
  const notice = useNoticeFocus<HTMLParagraphElement>()
  return (
    <Stack>
      <p ref={notice} tabIndex={-1} role="alert">
        {texts.firstTryArrived()}
      </p>
      <DialogButtons>
        <Button onClick={onClose}>{texts.close()}</Button>
      </DialogButtons>
    </Stack>
  )
}
