import { zodResolver } from '@hookform/resolvers/zod'
import { Button, Checkbox, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Controller, FormProvider, useForm } from 'react-hook-form'
import { type Webhook, webhookApi, webhookFields, webhookTypes } from '../../contract/webhooks.ts'
import * as texts from '../../texts/generated/webhooks.ts'
import { useCall } from '../api/query.ts'
import { DialogButtons } from '../ui/buttons/DialogButtons.tsx'
import { FormDialog } from '../ui/dialogs/FormDialog.tsx'
import { Attention } from '../ui/forms/Attention.tsx'
import { showFieldErrors } from '../ui/forms/form-errors.ts'
import { eventTexts } from './event-texts.ts'
import { nameOf } from './moment-text.ts'
import { SecretDialog } from './SecretDialog.tsx'

interface Props {
  clubId: number
  /** The webhook that is edited; null for a new one. */
  webhook: Webhook | null
  onClose: () => void
}

/** Adds a webhook, and then shows its secret; or edits one. */
export function WebhookDialog({ clubId, webhook, onClose }: Props) {
  const save = useCall(webhookApi.saveWebhook)
  const [added, setAdded] = useState<{ name: string; secret: string } | null>(null)
  const form = useForm({
    resolver: zodResolver(webhookFields),
    defaultValues: { url: webhook?.url ?? '', events: webhook?.events ?? [] },
  })
  const { errors, isSubmitting, isDirty } = form.formState
  const submit = form.handleSubmit(async (fields) => {
    try {
      const saved = await save.mutateAsync({ payload: { clubId, ...fields, ...(webhook && { id: webhook.id }) } })
      if (saved.secret === null) onClose()
      else setAdded({ name: nameOf(saved.webhook.url), secret: saved.secret })
    } catch (error) {
      for (const message of showFieldErrors(form, error, 'payload.')) form.setError('url', { message })
    }
  })
  if (added) return <SecretDialog {...added} onClose={onClose} />
  const title = webhook ? texts.editTitle() : texts.add()
  return (
    <FormDialog title={title} isDirty={isDirty} isBusy={isSubmitting} onClose={onClose}>
      <FormProvider {...form}>
        <form onSubmit={submit} noValidate>
          <Stack>
            <Attention count={Object.keys(errors).length} />
            <TextInput
              label={texts.url()}
              description={texts.urlHint()}
              type="url"
              required
              autoComplete="off"
              error={errors.url?.message}
              {...form.register('url')}
            />
            <Controller
              control={form.control}
              name="events"
              render={({ field }) => (
                <Checkbox.Group
                  label={texts.told()}
                  value={field.value}
                  onChange={(chosen) => field.onChange(webhookTypes.filter((each) => chosen.includes(each)))}
                  error={errors.events?.message}
                >
                  <Stack gap="xs" mt="xs">
                    {webhookTypes.map((each) => (
                      <Checkbox key={each} value={each} label={eventTexts[each]()} />
                    ))}
                  </Stack>
                </Checkbox.Group>
              )}
            />
            <DialogButtons>
              <Button variant="default" onClick={onClose}>
                {texts.cancel()}
              </Button>
              <Button type="submit" loading={isSubmitting}>
                {webhook ? texts.save() : texts.add()}
              </Button>
            </DialogButtons>
          </Stack>
        </form>
      </FormProvider>
    </FormDialog>
  )
}
