import { zodResolver } from '@hookform/resolvers/zod'
import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useForm } from 'react-hook-form'
import { Link, useNavigate } from 'react-router'
import { authApi, signUpFields } from '../../contract/auth.ts'
import { Refusal } from '../../contract/errors.ts'
import { callFull } from '../api/call.ts'
import { storeSession } from '../api/session.ts'
import { paths } from '../paths.ts'
import { showFieldErrors } from '../ui/form-errors.ts'
import { PageTitle } from '../ui/PageTitle.tsx'

const empty = { fullName: '', email: '', password: '', clubName: '', clubLocation: '' }

/** A club signs itself up. */
export function RegisterPage() {
  const navigate = useNavigate()
  const form = useForm({ resolver: zodResolver(signUpFields), defaultValues: empty })
  const { errors, isSubmitting } = form.formState
  const text = (name: keyof typeof empty) => ({ size: 'md', error: errors[name]?.message, ...form.register(name) })

  const submit = form.handleSubmit(async (fields) => {
    try {
      const { payload, token } = await callFull(authApi.register, fields, { quiet: true })
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
      <PageTitle title="Sign up your club" />
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
