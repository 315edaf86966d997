import { zodResolver } from '@hookform/resolvers/zod'
import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useForm } from 'react-hook-form'
import { Link, useNavigate } from 'react-router'
import * as z from 'zod/mini'
import { authApi, signUpFields } from '../../contract/auth.ts'
import { Refusal } from '../../contract/errors.ts'
import { currencyOfZone } from '../../contract/values/currency-of-zone.ts'
import { callFull } from '../api/call.ts'
import { storeSession } from '../api/session.ts'
import { paths } from '../paths.ts'
import { ownTimeZone } from '../ui/forms/choices.ts'
import { showFieldErrors } from '../ui/forms/form-errors.ts'

/** Defaults for the club's events, as far as the browser tells. */
function whereabouts() {
  const timeZone = ownTimeZone()
  const currency = currencyOfZone(timeZone)
  return { timeZone, ...(currency !== null && { currency }) }
}

/** Signs up; without the time zone if the server does not know it. */
async function signUp(fields: Parameters<typeof callFull<typeof authApi.register>>[1]) {
  return callFull(authApi.register, { ...fields, ...whereabouts() }, { quiet: true }).catch((error: unknown) => {
    const isGuess =
      error instanceof Refusal && error.fields.some(({ path }) => path === 'timeZone' || path === 'currency')
    if (!isGuess) throw error
    return callFull(authApi.register, fields, { quiet: true })
  })
}

const typedFields = z.omit(signUpFields, { timeZone: true, currency: true })

const empty = { fullName: '', email: '', password: '', clubName: '', clubLocation: '' }

/** A club signs itself up. */
export function SignUpPage() {
  const navigate = useNavigate()
  const form = useForm({ resolver: zodResolver(typedFields), defaultValues: empty })
  const { errors, isSubmitting } = form.formState
  const text = (name: keyof typeof empty) => ({ size: 'md', error: errors[name]?.message, ...form.register(name) })

  const submit = form.handleSubmit(async (fields) => {
    try {
      const { payload, token } = await signUp(fields)
      storeSession({ token: token ?? '', user: payload.currentUser })
      await navigate(paths.adminDashboard)
    } catch (error) {
      const rest = showFieldErrors(form, error)
      if (error instanceof Refusal && (error.fields.length === 0 || rest.length > 0))
        form.setError('root', { message: error.message })
    }
  })

  return (
    <div className="page narrow">
      <h1>Sign up your club</h1>
      <form className="card" onSubmit={submit} noValidate>
        <Stack>
          {errors.root && (
            <p className="problem" role="alert">
              {errors.root.message}
            </p>
          )}
          <TextInput label="Name of the club" required autoComplete="organization" {...text('clubName')} />
          <TextInput
            label="Place"
            description="Where your club is at home; you can leave it out"
            {...text('clubLocation')}
          />
          <TextInput label="Your name" required autoComplete="name" {...text('fullName')} />
          <TextInput label="Your e-mail" type="email" required autoComplete="username" {...text('email')} />
          <PasswordInput
            label="Password"
            description="At least 8 characters, with a number"
            required
            autoComplete="new-password"
            {...text('password')}
          />
          <Button type="submit" size="md" loading={isSubmitting}>
            Sign up
          </Button>
          <p className="small muted">
            By signing up you accept the <Link to={paths.page('terms')}>terms of use</Link> and the{' '}
            <Link to={paths.page('privacy-policy')}>privacy policy</Link>.
          </p>
        </Stack>
      </form>
      <p>
        Your club is here already? <Link to={paths.signin}>Sign in</Link>
      </p>
    </div>
  )
}
