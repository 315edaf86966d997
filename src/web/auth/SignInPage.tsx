import { zodResolver } from '@hookform/resolvers/zod'
import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useEffect } from 'react'
import { useForm } from 'react-hook-form'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { authApi } from '../../contract/auth.ts'
import { Refusal } from '../../contract/errors.ts'
import { callFull } from '../api/call.ts'
import { storeSession } from '../api/session.ts'
import { purgeAll } from '../door/phone/purge.ts'
import { homeOf, safeNext } from '../guards.ts'
import { deleteStaffTickets } from '../offline/ticket-caches.ts'
import { paths } from '../paths.ts'

export function SignInPage() {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const form = useForm({ resolver: zodResolver(authApi.signin.input), defaultValues: { email: '', password: '' } })
  const { errors, isSubmitting } = form.formState
  // However the last session ended, no door list and no guest's ticket of it stays on this device.
  useEffect(() => void Promise.allSettled([purgeAll(), deleteStaffTickets()]), [])

  const submit = form.handleSubmit(async (credentials) => {
    try {
      const { payload, token } = await callFull(authApi.signin, credentials, { quiet: true })
      storeSession({ token: token ?? '', user: payload.currentUser })
      await navigate(safeNext(search.get('next')) ?? homeOf(payload.currentUser))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      form.setError('root', { message: error.message })
    }
  })

  return (
    <div className="page narrow">
      <h1>Sign in</h1>
      <form className="card" onSubmit={submit} noValidate>
        <Stack>
          {errors.root && (
            <p className="problem" role="alert">
              {errors.root.message}
            </p>
          )}
          <TextInput
            label="E-mail"
            type="email"
            autoComplete="username"
            size="md"
            error={errors.email?.message}
            {...form.register('email')}
          />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            size="md"
            error={errors.password?.message}
            {...form.register('password')}
          />
          <Button type="submit" size="md" loading={isSubmitting}>
            Sign in
          </Button>
        </Stack>
      </form>
      <p className="row spread">
        <Link to={paths.forgotPassword}>Forgot your password?</Link>
        <Link to={paths.register}>Sign up your club</Link>
      </p>
    </div>
  )
}
