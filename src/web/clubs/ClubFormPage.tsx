import { zodResolver } from '@hookform/resolvers/zod'
import { NativeSelect, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { Navigate, useLocation, useParams } from 'react-router'
import type { Club } from '../../contract/club.ts'
import { type ClubFields, clubApi, clubFields, newClub } from '../../contract/clubs.ts'
import { Refusal } from '../../contract/errors.ts'
import { currencyOfZone } from '../../contract/values/currency-of-zone.ts'
import { offeredBy } from '../../contract/values/languages.ts'
import * as texts from '../../texts/generated/clubForm.ts'
import { languages as allLanguages } from '../../texts/generated/languages.ts'
import * as retentionTexts from '../../texts/generated/retention.ts'
import { currentLanguage } from '../../texts/language.ts'
import { query, useUpload } from '../api/query.ts'
import { MoveCard } from '../club-files/MoveCard.tsx'
import { MembersCard } from '../club-members/MembersCard.tsx'
import { homeOf } from '../homes.ts'
import { readId } from '../read-id.ts'
import { useOwner } from '../session/owner.ts'
import { readSession, storeSession } from '../session/session.ts'
import { SaveButton } from '../ui/buttons/SaveButton.tsx'
import { StickyBar } from '../ui/buttons/StickyBar.tsx'
import { LeaveGuard, useLeave } from '../ui/dialogs/LeaveGuard.tsx'
import { FoldedCard } from '../ui/folds/FoldedCard.tsx'
import { currenciesWith, ownTimeZone, timeZonesWith } from '../ui/forms/choices.ts'
import { EditConflict } from '../ui/forms/EditConflict.tsx'
import { showFieldErrors } from '../ui/forms/form-errors.ts'
import { ImageField, unchangedImage } from '../ui/forms/ImageField.tsx'
import { PhoneField } from '../ui/forms/PhoneField.tsx'
import { SavingFields } from '../ui/forms/SavingFields.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'
import { WebhooksCard } from '../webhooks/WebhooksCard.tsx'
import styles from './ClubFormPage.module.css'
import { ClubMark } from './ClubMark.tsx'
import { ColourField } from './ColourField.tsx'
import { LanguageFields } from './LanguageFields.tsx'

/** Adds a club, or edits the one in the address; without an id in the address, an admin edits their own. */
export function ClubFormPage() {
  const { clubId } = useParams()
  const { user } = useOwner()
  const isNew = window.location.pathname.endsWith('/add')
  const id = clubId ? readId(clubId) : user.clubId
  if (!isNew && id === null) return <Navigate to={homeOf(user)} />
  // Another club's data are public, but its form is not. Without this check only saving would be refused.
  if (user.role === 'admin' && id !== user.clubId) throw new Refusal('NOT_FOUND')
  const isOwn = user.role === 'admin'
  return (
    <div className={`page ${styles.page}`}>
      {isOwn && <PageTitle title={texts.clubSettings()} />}
      <h1>{isNew ? texts.addAClub() : isOwn ? texts.clubSettings() : texts.editTheClub()}</h1>
      {isNew || id === null ? (
        <ClubForm club={null} fields={newClubFields()} onReload={() => {}} />
      ) : (
        <EditClub id={id} isOwn={isOwn} />
      )}
      {isOwn && <WebhooksCard />}
      {isOwn && <MoveCard />}
    </div>
  )
}

function EditClub({ id, isOwn }: { id: number; isOwn: boolean }) {
  const { data: club, refetch } = useSuspenseQuery({ ...query(clubApi.getClub, { clubId: id }), staleTime: 0 })
  const { name, location, description, email, phone, website, colour, listed, currency, timeZone, keepDays } = club
  const fields = {
    name,
    location,
    description,
    email,
    phone,
    website,
    colour,
    listed,
    currency,
    timeZone,
    keepDays,
    ...languagesOf(club),
  }
  // Each version has its own form; while one is being filled in, a newer version does not replace it.
  const [shown, setShown] = useState({ club, fields })
  const reload = () =>
    void refetch().then(
      ({ data }) => data && setShown({ club: data, fields: { ...fields, ...data, ...languagesOf(data) } }),
    )
  return (
    <>
      <ClubForm key={shown.club.version} club={shown.club} fields={shown.fields} onReload={reload} />
      {isOwn && <MembersCard clubId={id} timeZone={timeZone} />}
    </>
  )
}

/** The main language and those offered, without any that Turnout no longer speaks. */
function languagesOf(club: Club): Pick<ClubFields, 'language' | 'languages' | 'descriptions'> {
  const languages = offeredBy(club)
  const descriptions = allLanguages.map((language) => ({
    language,
    text: club.descriptions.find((each) => each.language === language)?.text ?? '',
  }))
  return { language: languages[0] ?? newClub.language, languages, descriptions }
}

/** The time zone of the person who adds the club is the most likely one, and so is its currency. */
function newClubFields(): ClubFields {
  const timeZone = ownTimeZone()
  return {
    ...newClub,
    descriptions: allLanguages.map((language) => ({ language, text: '' })),
    language: currentLanguage(),
    name: '',
    timeZone,
    currency: currencyOfZone(timeZone) ?? newClub.currency,
  }
}

interface Props {
  club: Club | null
  fields: ClubFields
  onReload: () => void
}

function ClubForm({ club, fields, onReload }: Props) {
  const { user } = useOwner()
  const save = useUpload(clubApi.save)
  const saveCover = useUpload(clubApi.saveCover)
  const [cover, setCover] = useState(unchangedImage)
  const [coverError, setCoverError] = useState<string>()
  const [image, setImage] = useState(unchangedImage)
  const [imageError, setImageError] = useState<string>()
  const form = useForm({ resolver: zodResolver(clubFields), defaultValues: fields })
  const { errors, isSubmitting, isDirty } = form.formState
  const isChanged = isDirty || image !== unchangedImage || cover !== unchangedImage
  const { isLeaving, leave } = useLeave()
  const { state } = useLocation()
  // The page that sent somebody here, to which they go on.
  const backTo = typeof state === 'string' ? state : null
  // When the cover is refused, the rest has been saved: the next try edits that.
  const [latest, setLatest] = useState(club)
  const isConflict = save.error?.code === 'EDIT_CONFLICT'
  const languagesFold = useRef<HTMLDetailsElement>(null)
  const privacyFold = useRef<HTMLDetailsElement>(null)
  /** A field in there can take the focus only once it is shown. */
  const unfold = (wrong: readonly string[]) => {
    if (languagesFold.current && wrong.some((name) => name.startsWith('language') || name.startsWith('descriptions')))
      languagesFold.current.open = true
    if (privacyFold.current && wrong.includes('keepDays')) privacyFold.current.open = true
  }

  const submit = form.handleSubmit(
    async (values) => {
      setImageError(undefined)
      setCoverError(undefined)
      try {
        const input = { ...values, removeLogo: image.remove, ...(latest && { id: latest.id, version: latest.version }) }
        const saved = await save.mutateAsync({ input, file: image.file })
        setLatest(saved)
        const current = readSession()
        if (current?.user.clubId === saved.id)
          storeSession({ ...current, user: { ...current.user, clubName: saved.name } })
        if (cover !== unchangedImage)
          await saveCover.mutateAsync({ input: { clubId: saved.id, removeCover: cover.remove }, file: cover.file })
        leave(backTo ?? homeOf(user))
      } catch (error) {
        if (error instanceof Refusal) unfold(error.fields.map(({ path }) => path))
        showFieldErrors(form, error)
        const messageAt = (field: string) =>
          error instanceof Refusal ? error.fields.find(({ path }) => path === field)?.msg() : undefined
        setImageError(messageAt('logo'))
        setCoverError(messageAt('cover'))
      }
    },
    (wrong) => unfold(Object.keys(wrong)),
  )
  const text = (name: keyof ClubFields) => ({ error: errors[name]?.message, ...form.register(name) })
  return (
    <form onSubmit={submit} noValidate>
      <LeaveGuard isDirty={isChanged && !isLeaving} />
      <SavingFields isSaving={isSubmitting}>
        {isConflict && <EditConflict onReload={onReload} />}
        <div className={styles.parts}>
          <div className={styles.column}>
            <Part id="the-club" heading={texts.theClub()}>
              <TextInput label={texts.name()} required {...text('name')} />
              <ImageField
                what="logo"
                kind="club-logo"
                draw={(preview, logo) => (
                  <ClubMark club={{ name: form.watch('name') || '?', logo }} size="large" preview={preview} />
                )}
                current={club?.logo ?? ''}
                change={image}
                onChange={setImage}
                error={imageError}
              />
              <ImageField
                what="cover"
                kind="event-banner"
                name={form.watch('name')}
                colour={form.watch('colour')}
                current={club?.cover ?? ''}
                change={cover}
                onChange={setCover}
                error={coverError}
              />
              <Controller
                control={form.control}
                name="colour"
                render={({ field }) => (
                  <ColourField value={field.value} onChange={field.onChange} error={errors.colour?.message} />
                )}
              />
            </Part>
          </div>
          <div className={styles.column}>
            <Part id="for-visitors" heading={texts.forVisitors()}>
              <Textarea label={texts.aboutTheClubOptional()} autosize minRows={3} {...text('description')} />
              <TextInput label={texts.placeOptional()} {...text('location')} />
              <TextInput
                label={texts.publicEmail()}
                description={texts.publicEmailHint()}
                type="email"
                {...text('email')}
              />
              <Controller
                control={form.control}
                name="phone"
                render={({ field }) => (
                  <PhoneField
                    label={texts.phoneOptional()}
                    name="phone"
                    required={false}
                    timeZone={fields.timeZone}
                    defaultValue={fields.phone}
                    help={texts.phoneHint()}
                    error={errors.phone?.message}
                    onChange={field.onChange}
                  />
                )}
              />
              <TextInput label={texts.websiteOptional()} type="url" placeholder={texts.https()} {...text('website')} />
              <Controller
                control={form.control}
                name="listed"
                render={({ field: { value, ...field } }) => (
                  <Switch label={texts.listed()} description={texts.listedHint()} checked={value} {...field} />
                )}
              />
            </Part>
            <Part id="money" heading={texts.moneyAndTime()}>
              <NativeSelect label={texts.currency()} data={currenciesWith(fields.currency)} {...text('currency')} />
              <NativeSelect label={texts.timeZone()} data={timeZonesWith(fields.timeZone)} {...text('timeZone')} />
            </Part>
            <FoldedCard heading={texts.languagesHeading()} about={texts.languagesFold()} fold={languagesFold}>
              <LanguageFields form={form} isNew={club === null} />
            </FoldedCard>
            <FoldedCard
              heading={retentionTexts.personalData()}
              about={retentionTexts.personalDataFold()}
              fold={privacyFold}
            >
              <TextInput
                label={retentionTexts.keepDays()}
                description={retentionTexts.keepDaysHint()}
                inputMode="numeric"
                error={errors.keepDays?.message}
                {...form.register('keepDays', { valueAsNumber: true })}
              />
              {club?.keepDays === 0 && <p className="muted">{retentionTexts.keptUntilNow()}</p>}
            </FoldedCard>
          </div>
        </div>
        <StickyBar
          state={isChanged ? texts.unsaved() : club ? texts.noChanges() : texts.notSavedYet()}
          isFloating={isChanged}
        >
          <SaveButton isIdle={!isChanged && club !== null} isSaving={isSubmitting}>
            {club ? texts.save() : texts.addTheClub()}
          </SaveButton>
        </StickyBar>
      </SavingFields>
    </form>
  )
}

/** Fields that belong together, under their heading. */
function Part({ id, heading, children }: { id: string; heading: string; children: ReactNode }) {
  return (
    <Stack component="section" className={`card ${styles.part}`} aria-labelledby={id}>
      <h2 id={id}>{heading}</h2>
      {children}
    </Stack>
  )
}
