import { zodResolver } from '@hookform/resolvers/zod'
import { Button, PasswordInput, Stack } from '@mantine/core'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { authApi } from '../../contract/auth.ts'
import { appUserApi } from '../../contract/users.ts'
import { newPassword } from '../../contract/values/account-fields.ts'
import * as fieldTexts from '../../texts/generated/accountFields.ts'
import * as texts from '../../texts/generated/users.ts'
import { call } from '../api/call.ts'
import { useCall } from '../api/query.ts'
import { showFieldErrors } from '../ui/forms/form-errors.ts'
import { SavingFields } from '../ui/forms/SavingFields.tsx'

const passwordFields = z.object({
  currentPassword: z.string().check(z.minLength(1, { error: fieldTexts.passwordNeeded })),
  password: newPassword,
})

/** The form to change the user's own password. */
export function PasswordForm() {
  const save = useCall(appUserApi.save)
  const form = useForm({ resolver: zodResolver(passwordFields), defaultValues: { currentPassword: '', password: '' } })
  const { errors, isSubmitting } = form.formState
  const submit = form.handleSubmit(async (fields) => {
    try {
      // Reads the current values, because the stored ones may have been changed on another device.
      const { id, fullName, email: address, clubId } = await call(authApi.getCurrentUser, {})
      await save.mutateAsync({ payload: { id, fullName, email: address, clubId, ...fields } })
      form.reset()
    } catch (error) {
      showFieldErrors(form, error, 'payload.')
    }
  })
  return (
    <form className="card" onSubmit={submit} noValidate>
      <h2>{texts.changeThePassword()}</h2>
      <SavingFields isSaving={isSubmitting}>
        <Stack>
          <PasswordInput
            label={texts.currentPassword()}
            autoComplete="current-password"
            error={errors.currentPassword?.message}
            {...form.register('currentPassword')}
          />
          <PasswordInput
            label={texts.newPassword()}
            description={texts.passwordHint()}
            autoComplete="new-password"
            error={errors.password?.message}
            {...form.register('password')}
          />
          <Button type="submit" variant="light" w={{ base: '100%', sm: 'fit-content' }} loading={isSubmitting}>
            {texts.changeThePassword()}
          </Button>
        </Stack>
      </SavingFields>
    </form>
  )
}
