import { zodResolver } from '@hookform/resolvers/zod'
import { Button, PasswordInput, Stack } from '@mantine/core'
import { useForm } from 'react-hook-form'
import { Link, useLocation, useNavigate } from 'react-router'
import * as z from 'zod/mini'
import { authApi } from '../../contract/auth.ts'
import { Refusal } from '../../contract/errors.ts'
import { newPassword } from '../../contract/values/fields.ts'
import { call } from '../api/call.ts'
import { paths } from '../paths.ts'
import { showFieldErrors } from '../ui/forms/form-errors.ts'

const fields = z.object({ password: newPassword })

/** Sets a new password by the link mailed. Its token stands behind the `#`, so that no server on the way sees it. */
export function ResetPasswordPage() {
  const navigate = useNavigate()
  const token = useLocation().hash.slice(1)
  const form = useForm({ resolver: zodResolver(fields), defaultValues: { password: '' } })
  const { errors, isSubmitting } = form.formState
  const submit = form.handleSubmit(async ({ password }) => {
    try {
      await call(authApi.resetPassword, { token, password })
      await navigate(paths.signin)
    } catch (error) {
      showFieldErrors(form, error)
      if (error instanceof Refusal && error.fields.length === 0) form.setError('root', { message: error.message })
    }
  })
  return (
    <div className="page narrow">
      <h1>Choose a new password</h1>
      <form className="card" onSubmit={submit} noValidate>
        <Stack>
          {errors.root && (
            <p className="problem" role="alert">
              {errors.root.message} <Link to={paths.forgotPassword}>Ask for a new link</Link>
            </p>
          )}
          <PasswordInput
            label="New password"
            description="At least 8 characters, with a number"
            autoComplete="new-password"
            size="md"
            error={errors.password?.message}
            {...form.register('password')}
          />
          <Button type="submit" size="md" loading={isSubmitting}>
            Set the password
          </Button>
        </Stack>
      </form>
    </div>
  )
}
