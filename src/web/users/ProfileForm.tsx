import { zodResolver } from '@hookform/resolvers/zod'
import { Button, NativeSelect, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import { securityApi } from '../../contract/security.ts'
import { appUserApi } from '../../contract/users.ts'
import { language as languageField } from '../../contract/values/account-fields.ts'
import { email, requiredLine } from '../../contract/values/fields.ts'
import * as fieldTexts from '../../texts/generated/fields.ts'
import * as texts from '../../texts/generated/users.ts'
import { isLanguage } from '../../texts/language.ts'
import { query, useCall, useUpload } from '../api/query.ts'
import { keepLanguage } from '../session/keep-language.ts'
import { refreshSession } from '../session/load-session.ts'
import { readSession, type SessionUser, storeSession } from '../session/session.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { SaveButton } from '../ui/buttons/SaveButton.tsx'
import { StickyBar } from '../ui/buttons/StickyBar.tsx'
import { LeaveGuard, useReload } from '../ui/dialogs/LeaveGuard.tsx'
import { languageChoices } from '../ui/forms/choices.ts'
import { showFieldErrors } from '../ui/forms/form-errors.ts'
import { ImageField, unchangedImage } from '../ui/forms/ImageField.tsx'
import { SavingFields } from '../ui/forms/SavingFields.tsx'

const profileFields = z.object({
  fullName: requiredLine(120, fieldTexts.ownNameNeeded),
  email,
  /** Empty until one is chosen. */
  language: z.union([languageField, z.literal('')]),
  /** Required when the address changes. */
  currentPassword: z.optional(z.string().check(z.maxLength(256))),
})

/** The form for the user's own name, e-mail address and photo. */
export function ProfileForm({ user }: { user: SessionUser }) {
  const save = useUpload(appUserApi.save)
  const [image, setImage] = useState(unchangedImage)
  const { fullName, email: address, language } = user
  const form = useForm({
    resolver: zodResolver(profileFields),
    // Values read again from the server appear here, except in fields that are being edited.
    values: {
      fullName,
      email: address,
      currentPassword: '',
      language: isLanguage(language) ? language : ('' as const),
    },
    resetOptions: { keepDirtyValues: true },
  })
  const isMoving = form.watch('email').trim().toLowerCase() !== address.toLowerCase()
  const { errors, isSubmitting, isDirty } = form.formState
  const isChanged = isDirty || image !== unchangedImage
  const [imageError, setImageError] = useState<string>()
  const { isReloading, reload } = useReload()
  const submit = form.handleSubmit(async ({ currentPassword, language: chosen, ...fields }) => {
    setImageError(undefined)
    try {
      const payload = {
        ...fields,
        ...(chosen !== '' && { language: chosen }),
        ...(isMoving && { currentPassword, confirmEmail: true }),
        id: user.id,
        clubId: user.clubId,
        removeImage: image.remove,
      }
      const saved = await save.mutateAsync({ input: { payload }, file: image.file })
      // A new address counts once it is confirmed.
      const { email: present } = saved
      form.reset({ ...fields, email: present, language: chosen, currentPassword: '' }, { keepDirtyValues: false })
      setImage(unchangedImage)
      const session = readSession()
      if (session)
        storeSession({
          ...session,
          user: { ...session.user, ...fields, email: present, language: saved.language, image: saved.image },
        })
      if (!keepLanguage(saved.language)) reload()
    } catch (error) {
      showFieldErrors(form, error, 'payload.')
      if (error instanceof Refusal) setImageError(error.fields.find(({ path }) => path === 'image')?.msg())
    }
  })
  return (
    <form onSubmit={submit} noValidate>
      <LeaveGuard isDirty={isChanged && !isReloading} />
      <SavingFields isSaving={isSubmitting}>
        <Stack className="card">
          <ImageField
            what="other"
            kind="user"
            draw={(preview, photo) => (
              <Avatar name={form.watch('fullName')} image={photo} preview={preview} size="large" />
            )}
            current={user.image}
            change={image}
            onChange={setImage}
            error={imageError}
          />
          <TextInput
            label={texts.name()}
            required
            autoComplete="name"
            error={errors.fullName?.message}
            {...form.register('fullName')}
          />
          <TextInput
            label={texts.eMail()}
            type="email"
            required
            autoComplete="email"
            error={errors.email?.message}
            {...form.register('email')}
          />
          <NewAddress present={address} onDropped={() => form.setFocus('email')} />
          <NativeSelect
            label={texts.ownLanguage()}
            description={texts.ownLanguageHint()}
            data={[
              ...(isLanguage(language) ? [] : [{ value: '', label: texts.browsersLanguage() }]),
              ...languageChoices,
            ]}
            error={errors.language?.message}
            {...form.register('language')}
          />
          {isMoving && (
            <PasswordInput
              label={texts.currentPassword()}
              description={texts.currentPasswordHint()}
              required
              autoComplete="current-password"
              error={errors.currentPassword?.message}
              {...form.register('currentPassword')}
            />
          )}
        </Stack>
        <StickyBar state={isChanged ? texts.unsaved() : texts.noChanges()} isFloating={isChanged}>
          <SaveButton isIdle={!isChanged} isSaving={isSubmitting}>
            {texts.save()}
          </SaveButton>
        </StickyBar>
      </SavingFields>
    </form>
  )
}

/** Says which address waits to be confirmed, and lets it be dropped. */
function NewAddress({ present, onDropped }: { present: string; onDropped: () => void }) {
  const { data } = useQuery(query(securityApi.getNewAddress, {}))
  const waited = useRef(false)
  // Confirmed on another device, the address shown is no longer the present one.
  useEffect(() => {
    if (!data) return
    if (waited.current && data.email === null) void refreshSession().catch(() => {})
    waited.current = data.email !== null
  }, [data])
  const drop = useCall(securityApi.dropNewAddress)
  if (!data?.email) return null
  return (
    <div className="hint" role="status">
      <p>
        {data.isUndeliverable
          ? texts.newAddressFailed({ email: data.email, present })
          : texts.newAddressWaits({ email: data.email, present })}
      </p>
      <Button variant="default" loading={drop.isPending} onClick={() => drop.mutate({}, { onSuccess: onDropped })}>
        {texts.keepAddress()}
      </Button>
    </div>
  )
}
