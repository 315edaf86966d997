import { zodResolver } from '@hookform/resolvers/zod'
import { Button, Checkbox, NumberInput, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Controller, FormProvider, useForm } from 'react-hook-form'
import type * as z from 'zod/mini'
import type { Event } from '../../contract/event.ts'
import { MOST_PHONES, passApi, passFields } from '../../contract/passes.ts'
import { passAbilities } from '../../contract/permissions.ts'
import * as texts from '../../texts/generated/helpers.ts'
import { useCall } from '../api/query.ts'
import { newId } from '../new-id.ts'
import { DialogButtons } from '../ui/buttons/DialogButtons.tsx'
import { FormDialog } from '../ui/dialogs/FormDialog.tsx'
import { Attention } from '../ui/forms/Attention.tsx'
import { showFieldErrors } from '../ui/forms/form-errors.ts'
import { abilityTexts } from './ability-texts.ts'
import { LinkDialog } from './LinkDialog.tsx'

const usual: z.output<typeof passFields> = { name: '', may: ['tickets', 'search'], phones: 1 }

interface Props {
  event: Event
  onClose: () => void
}

/** Makes a helper pass, and then shows its link. */
export function NewPassDialog({ event, onClose }: Props) {
  const make = useCall(passApi.makePass)
  // Sent again because the answer was lost, it is the same pass.
  const [key] = useState(newId)
  const [made, setMade] = useState<{ name: string; token: string } | null>(null)
  const form = useForm({ resolver: zodResolver(passFields), defaultValues: usual })
  const { errors, isSubmitting, isDirty } = form.formState
  const submit = form.handleSubmit(async (fields) => {
    try {
      const { pass, token } = await make.mutateAsync({ payload: { eventId: event.id, key, ...fields } })
      setMade({ name: pass.name, token })
    } catch (error) {
      for (const message of showFieldErrors(form, error, 'payload.')) form.setError('name', { message })
    }
  })
  if (made) return <LinkDialog event={event} {...made} onClose={onClose} />
  return (
    <FormDialog title={texts.addHelper()} isDirty={isDirty} isBusy={isSubmitting} onClose={onClose}>
      <FormProvider {...form}>
        <form onSubmit={submit} noValidate>
          <Stack>
            <Attention count={Object.keys(errors).length} />
            <TextInput
              label={texts.nameOfHelper()}
              description={texts.nameHint()}
              required
              autoComplete="off"
              error={errors.name?.message}
              {...form.register('name')}
            />
            <Controller
              control={form.control}
              name="may"
              render={({ field }) => (
                <Checkbox.Group
                  label={texts.mayDo()}
                  value={field.value}
                  onChange={(chosen) => field.onChange(passAbilities.filter((ability) => chosen.includes(ability)))}
                  error={errors.may?.message}
                >
                  <Stack gap="xs" mt="xs">
                    {passAbilities.map((ability) => (
                      <Checkbox key={ability} value={ability} label={abilityTexts[ability]()} />
                    ))}
                  </Stack>
                </Checkbox.Group>
              )}
            />
            <Controller
              control={form.control}
              name="phones"
              render={({ field }) => (
                <NumberInput
                  label={texts.howManyPhones()}
                  description={texts.phonesHint()}
                  value={field.value}
                  onChange={field.onChange}
                  onBlur={field.onBlur}
                  min={1}
                  max={MOST_PHONES}
                  clampBehavior="none"
                  styles={{ wrapper: { maxWidth: 160 } }}
                  error={errors.phones?.message}
                />
              )}
            />
            <DialogButtons>
              <Button variant="default" onClick={onClose}>
                {texts.closeWithoutSaving()}
              </Button>
              <Button type="submit" loading={isSubmitting}>
                {texts.makeLink()}
              </Button>
            </DialogButtons>
          </Stack>
        </form>
      </FormProvider>
    </FormDialog>
  )
}
