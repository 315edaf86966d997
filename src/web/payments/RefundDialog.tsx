import { Button, Group, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { Refusal } from '../../contract/errors.ts'
import { formatPrice } from '../../contract/money.ts'
import { paymentApi } from '../../contract/payments.ts'
import type { PaymentSummary, Registration } from '../../contract/registrations.ts'
import { minorUnits, plainAmount } from '../../contract/typed-amounts.ts'
import { useCall } from '../api/call.ts'
import { newScanId } from '../door/new-scan-id.ts'
import { FormDialog } from '../ui/FormDialog.tsx'
import { useWrongFocus } from '../ui/use-wrong-focus.ts'

interface Props {
  registration: Registration
  payment: PaymentSummary
  onClose: () => void
}

/** Gives money back to the card: all that is left, or a part. */
export function RefundDialog({ registration, payment: { paid, refunded, currency }, onClose }: Props) {
  const refund = useCall(paymentApi.refund)
  const left = paid - refunded
  const all = plainAmount(left, currency)
  const [typed, setTyped] = useState(all)
  const [error, setError] = useState<string>()
  const form = useWrongFocus(error)
  const key = useRef(newScanId())
  const amount = minorUnits(typed, currency)

  async function submit(submitted: FormEvent): Promise<void> {
    submitted.preventDefault()
    if (amount === null || amount <= 0) return setError('Enter an amount of more than 0.')
    if (amount > left) return setError(`At most ${formatPrice(left, currency)}.`)
    try {
      // The same key until it is answered: tapped again after a lost answer it gives nothing twice.
      const payload = { registrationId: registration.id, eventId: registration.eventId, idempotencyKey: key.current }
      await refund.mutateAsync({ payload: amount === left ? payload : { ...payload, amount } })
      onClose()
    } catch (failure) {
      if (!(failure instanceof Refusal)) throw failure
      if (failure.status < 500) key.current = newScanId()
      setError(failure.message)
    }
  }
  return (
    <FormDialog isDirty={typed !== all} onClose={onClose} title="Give money back">
      <form ref={form} onSubmit={(submitted) => void submit(submitted)} noValidate>
        <Stack>
          <p>
            {formatPrice(paid, currency)} were paid by card
            {refunded > 0 && <>, of which {formatPrice(refunded, currency)} were given back</>}.
          </p>
          <TextInput
            label={`Amount in ${currency.toUpperCase()}`}
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
          <p className="muted small">
            {amount === left
              ? 'All of it: the registration is cancelled, the place is free again, and the ticket no longer valid.'
              : 'A part of it: the ticket stays valid.'}{' '}
            The attendee is told by mail.
          </p>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Close without a refund
            </Button>
            <Button type="submit" color="red" loading={refund.isPending}>
              Give back
            </Button>
          </Group>
        </Stack>
      </form>
    </FormDialog>
  )
}
