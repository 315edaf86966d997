import { zodResolver } from '@hookform/resolvers/zod'
import { Button, Checkbox, Select, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Controller, FormProvider, useForm } from 'react-hook-form'
import type * as z from 'zod/mini'
import { apiTokenApi, tokenDays, tokenFields } from '../../contract/api-tokens.ts'
import type { Payload } from '../../contract/endpoint.ts'
import * as texts from '../../texts/generated/apiTokens.ts'
import { useCall } from '../api/query.ts'
import { DialogButtons } from '../ui/buttons/DialogButtons.tsx'
import { FormDialog } from '../ui/dialogs/FormDialog.tsx'
import { Attention } from '../ui/forms/Attention.tsx'
import { showFieldErrors } from '../ui/forms/form-errors.ts'
import { MadeTokenDialog } from './MadeTokenDialog.tsx'
import { permissionTexts } from './permission-texts.ts'

const usual: z.output<typeof tokenFields> = { name: '', permissions: [], days: 90 }

interface Props {
  /** What the person's role lets a token do. */
  permissions: Payload<typeof apiTokenApi.getTokens>['permissions']
  onClose: () => void
}

/** Makes an API token, and then shows it. */
export function NewTokenDialog({ permissions, onClose }: Props) {
  const make = useCall(apiTokenApi.makeToken)
  const [made, setMade] = useState<Payload<typeof apiTokenApi.makeToken> | null>(null)
  const form = useForm({ resolver: zodResolver(tokenFields), defaultValues: usual })
  const { errors, isSubmitting, isDirty } = form.formState
  const submit = form.handleSubmit(async (fields) => {
    try {
      setMade(await make.mutateAsync({ payload: fields }))
    } catch (error) {
      for (const message of showFieldErrors(form, error, 'payload.')) form.setError('name', { message })
    }
  })
  if (made) return <MadeTokenDialog name={made.apiToken.name} token={made.token} onClose={onClose} />
  return (
    <FormDialog title={texts.makeToken()} isDirty={isDirty} isBusy={isSubmitting} onClose={onClose}>
      <FormProvider {...form}>
        <form onSubmit={submit} noValidate>
          <Stack>
            <Attention count={Object.keys(errors).length} />
            <TextInput
              label={texts.name()}
              description={texts.nameHint()}
              required
              autoComplete="off"
              error={errors.name?.message}
              {...form.register('name')}
            />
            <Controller
              control={form.control}
              name="permissions"
              render={({ field }) => (
                <Checkbox.Group
                  label={texts.mayDo()}
                  description={texts.mayDoHint()}
                  value={field.value}
                  onChange={(chosen) => field.onChange(permissions.filter((each) => chosen.includes(each)))}
                  error={errors.permissions?.message}
                >
                  <Stack gap="xs" mt="xs">
                    {permissions.map((each) => (
                      <Checkbox key={each} value={each} label={permissionTexts[each]()} />
                    ))}
                  </Stack>
                </Checkbox.Group>
              )}
            />
            <Controller
              control={form.control}
              name="days"
              render={({ field }) => (
                <Select
                  label={texts.validFor()}
                  data={tokenDays.map((count) => ({ value: String(count), label: texts.days({ count }) }))}
                  value={String(field.value)}
                  onChange={(value) => field.onChange(Number(value))}
                  allowDeselect={false}
                  error={errors.days?.message}
                />
              )}
            />
            <DialogButtons>
              <Button variant="default" onClick={onClose}>
                {texts.cancel()}
              </Button>
              <Button type="submit" loading={isSubmitting}>
                {texts.makeToken()}
              </Button>
            </DialogButtons>
          </Stack>
        </form>
      </FormProvider>
    </FormDialog>
  )
}
