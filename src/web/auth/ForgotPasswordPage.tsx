import { zodResolver } from '@hookform/resolvers/zod'
import { Button, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link } from 'react-router'
import { authApi } from '../../contract/auth.ts'
import { Refusal } from '../../contract/errors.ts'
import { call } from '../api/call.ts'
import { paths } from '../paths.ts'

/** Asks for a link for a new password. The answer does not tell whether the address is known. */
export function ForgotPasswordPage() {
  const [sentTo, setSentTo] = useState<string | null>(null)
  const form = useForm({ resolver: zodResolver(authApi.forgotPassword.input), defaultValues: { email: '' } })
  const { errors, isSubmitting } = form.formState
  const submit = form.handleSubmit(async (input) => {
    try {
      await call(authApi.forgotPassword, input, { quiet: true })
      setSentTo(input.email)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      form.setError('email', { message: error.message })
    }
  })
  return (
    <div className="page narrow">
      <h1>Forgot your password?</h1>
      {sentTo === null ? (
        <form className="card" onSubmit={submit} noValidate>
          <Stack>
            <p>Enter the e-mail address with which you sign in. We send you a link to choose a new password.</p>
            <TextInput
              label="E-mail"
              type="email"
              autoComplete="username"
              size="md"
              error={errors.email?.message}
              {...form.register('email')}
            />
            <Button type="submit" size="md" loading={isSubmitting}>
              Send the link
            </Button>
          </Stack>
        </form>
      ) : (
        <div className="card" role="status">
          <p>
            If somebody signs in here as <strong>{sentTo}</strong>, a link is on its way to that address. It works once,
            for 30 minutes.
          </p>
          <p>Nothing arrived? Look into the spam folder, or ask the operator for a new password.</p>
        </div>
      )}
      <p>
        <Link to={paths.signin}>Back to sign in</Link>
      </p>
    </div>
  )
}
