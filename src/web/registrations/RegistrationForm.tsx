import { zodResolver } from '@hookform/resolvers/zod'
import { useRef } from 'react'
import { useForm } from 'react-hook-form'
import { useLocation } from 'wouter'
import * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import type { Event } from '../../contract/events.ts'
import { registrationApi, registrationData } from '../../contract/registrations.ts'
import { useCall } from '../api/call.ts'
import { paths } from '../paths.ts'
import { Field } from '../ui/Field.tsx'
import { showFieldErrors } from '../ui/form-errors.ts'

const fields = z.pick(registrationData, { name: true, email: true, phone: true })

/** The visitor's few fields. A failed try keeps all that was typed; a second tap is the same registration. */
export function RegistrationForm({ event }: { event: Event }) {
  const [, navigate] = useLocation()
  const register = useCall(registrationApi.initRegistration, { quiet: true })
  const key = useRef(newKey())
  const form = useForm({
    resolver: zodResolver(fields),
    defaultValues: { name: '', email: '', phone: '' },
    mode: 'onTouched',
  })
  const { errors, isSubmitting } = form.formState

  const submit = form.handleSubmit(async (data) => {
    try {
      const { savedRegistration } = await register.mutateAsync({
        newRegistration: { eventId: event.id, clubId: event.clubId, registrationData: { ...data, others: [] } },
        extrasIds: [],
        idempotencyKey: key.current,
      })
      navigate(paths.registered(savedRegistration))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      // Only where it is not known whether it arrived is another try the same one.
      if (error.status < 500) key.current = newKey()
      const unplaced = showFieldErrors(form, error, 'newRegistration.registrationData.')
      if (error.fields.length === 0 || unplaced.length > 0) form.setError('root', { message: error.message })
    }
  })

  return (
    <form onSubmit={submit} noValidate>
      {errors.root && (
        <div className="problem" role="alert">
          <p>{errors.root.message}</p>
        </div>
      )}
      <Field label="Name" autoComplete="name" error={errors.name?.message} {...form.register('name')} />
      <Field
        label="E-mail"
        type="email"
        inputMode="email"
        autoComplete="email"
        help="Your ticket is sent to this address."
        error={errors.email?.message}
        {...form.register('email')}
      />
      <Field label="Phone" type="tel" autoComplete="tel" error={errors.phone?.message} {...form.register('phone')} />
      <button type="submit" className="button wide" disabled={isSubmitting}>
        {isSubmitting ? 'Registering …' : 'Register'}
      </button>
    </form>
  )
}

/** Random enough to be nobody else's; `randomUUID` is missing on pages served without TLS. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
