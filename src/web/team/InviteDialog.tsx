import { zodResolver } from '@hookform/resolvers/zod'
import { Button, Stack, TextInput } from '@mantine/core'
import { FormProvider, useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { teamApi } from '../../contract/team.ts'
import { email, requiredLine } from '../../contract/values/fields.ts'
import * as fieldTexts from '../../texts/generated/fields.ts'
import * as texts from '../../texts/generated/team.ts'
import { useCall } from '../api/query.ts'
import { DialogButtons } from '../ui/buttons/DialogButtons.tsx'
import { FormDialog } from '../ui/dialogs/FormDialog.tsx'
import { Attention } from '../ui/forms/Attention.tsx'
import { showFieldErrors } from '../ui/forms/form-errors.ts'
import { PlaceField } from './PlaceField.tsx'
import { placeField, toStored } from './place.ts'

interface Props {
  clubId: number
  isOpen: boolean
  onClose: () => void
}

const fields = z.object({ fullName: requiredLine(120, fieldTexts.nameNeeded), email, place: placeField })

/** The role that may do least comes first. */
const nobody: z.output<typeof fields> = {
  fullName: '',
  email: '',
  place: { teamRole: 'door', isLimited: false, eventIds: [] },
}

/** Invites somebody to the team by e-mail. */
export function InviteDialog({ clubId, isOpen, onClose }: Props) {
  const invite = useCall(teamApi.invite)
  const form = useForm({ resolver: zodResolver(fields), defaultValues: nobody })
  const { errors, isSubmitting, isDirty } = form.formState
  const close = () => {
    form.reset()
    onClose()
  }
  const submit = form.handleSubmit(async ({ place, ...person }) => {
    try {
      await invite.mutateAsync({ payload: { clubId, ...person, ...toStored(place) } })
      close()
    } catch (error) {
      // What belongs to no other field is about the events.
      for (const message of showFieldErrors(form, error, 'payload.')) form.setError('place.eventIds', { message })
    }
  })
  return (
    <FormDialog
      title={texts.inviteTitle()}
      size="lg"
      isOpen={isOpen}
      isDirty={isDirty}
      isBusy={isSubmitting}
      onClose={close}
    >
      <FormProvider {...form}>
        <form onSubmit={submit} noValidate>
          <Stack>
            <p className="muted">{texts.inviteText()}</p>
            <Attention count={Object.keys(errors).length} />
            <TextInput
              label={texts.name()}
              required
              autoComplete="off"
              error={errors.fullName?.message}
              {...form.register('fullName')}
            />
            <TextInput
              label={texts.eMail()}
              type="email"
              required
              autoComplete="off"
              error={errors.email?.message}
              {...form.register('email')}
            />
            <PlaceField clubId={clubId} />
            <DialogButtons>
              <Button variant="default" onClick={close}>
                {texts.closeWithoutSaving()}
              </Button>
              <Button type="submit" loading={isSubmitting}>
                {texts.sendInvitation()}
              </Button>
            </DialogButtons>
          </Stack>
        </form>
      </FormProvider>
    </FormDialog>
  )
}
