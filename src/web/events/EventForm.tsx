import { Button, Checkbox, Input, NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { type ReactNode, type RefObject, useRef, useState } from 'react'
import { type Control, type UseFormRegisterReturn, useForm, useWatch } from 'react-hook-form'
import { Link } from 'react-router'
import * as z from 'zod/mini'
import { type FieldError, Refusal } from '../../contract/errors.ts'
import type { Event } from '../../contract/event.ts'
import { eventApi, eventFields, isMoved, validateTimes } from '../../contract/events.ts'
import { formatPrices } from '../../contract/values/money.ts'
import { wrongFields } from '../../contract/wrong-fields.ts'
import * as controlTexts from '../../texts/generated/controls.ts'
import * as texts from '../../texts/generated/eventForm.ts'
import * as retentionTexts from '../../texts/generated/retention.ts'
import { useUpload } from '../api/query.ts'
import * as paths from '../paths.ts'
import { SaveButton } from '../ui/buttons/SaveButton.tsx'
import { StickyBar } from '../ui/buttons/StickyBar.tsx'
import { LeaveGuard, useLeave } from '../ui/dialogs/LeaveGuard.tsx'
import { FoldedCard } from '../ui/folds/FoldedCard.tsx'
import { currenciesWith, timeZonesWith } from '../ui/forms/choices.ts'
import { EditConflict } from '../ui/forms/EditConflict.tsx'
import { showFieldErrors } from '../ui/forms/form-errors.ts'
import { ImageField, unchangedImage } from '../ui/forms/ImageField.tsx'
import { MomentField } from '../ui/forms/MomentField.tsx'
import { SavingFields } from '../ui/forms/SavingFields.tsx'
import { MarkdownField } from '../ui/markdown/MarkdownField.tsx'
import { Parts } from '../ui/Parts.tsx'
import styles from './EventForm.module.css'
import { type EventFormValues, endAfter, toFields } from './event-form-values.ts'
import { JUST_PUBLISHED } from './home/just-published.ts'

interface Props {
  event: Event | null
  values: EventFormValues
  /** The club's colour; empty for none. */
  colour: string
  /** Whether the prices are changed with the tickets, because it has several. */
  hasSeveralTickets?: boolean
  onReload: () => void
}

/** The form with all of an event's fields; saving can also publish it. */
export function EventForm({ event, values, colour, hasSeveralTickets = false, onReload }: Props) {
  const save = useUpload(eventApi.save)
  const [image, setImage] = useState(unchangedImage)
  const [imageError, setImageError] = useState<string>()
  const [tellAttendees, setTellAttendees] = useState(true)
  const form = useForm<EventFormValues>({ defaultValues: values })
  const { errors, isDirty, isSubmitting } = form.formState
  const isChanged = isDirty || image !== unchangedImage
  const { isLeaving, leave } = useLeave()
  const isConflict = save.error?.code === 'EDIT_CONFLICT'
  const isNews = useNewsForAttendees(event, form.control)
  const rare = useRef<HTMLDetailsElement>(null)

  const submitAs = (status: Event['status']) =>
    form.handleSubmit(async (texts) => {
      setImageError(undefined)
      try {
        const { ticketPrice, ...others } = readFields(hasSeveralTickets ? { ...texts, ticketPrice: '0' } : texts)
        const input = {
          ...others,
          ...{ status, removeBanner: image.remove },
          // Their own page changes them.
          ...(!hasSeveralTickets && { ticketPrice }),
          ...(event && { id: event.id, version: event.version }),
          ...(isNews && { tellAttendees }),
        }
        const saved = await save.mutateAsync({ input, file: image.file })
        leave(
          paths.eventHome(saved.id),
          status === 'published' && event?.status !== 'published' ? JUST_PUBLISHED : undefined,
        )
      } catch (error) {
        const isFolded = ({ path }: FieldError) => rare.current?.querySelector(`[name="${path}"]`)
        // A field can take the focus only where it is shown.
        if (rare.current && error instanceof Refusal && error.fields.some(isFolded)) rare.current.open = true
        showFieldErrors(form, error)
        if (error instanceof Refusal) setImageError(error.fields.find(({ path }) => path === 'banner')?.msg())
      }
    })
  const text = (name: keyof EventFormValues) => ({ error: errors[name]?.message, ...form.register(name) })
  const wrong = Object.keys(errors).length + (imageError ? 1 : 0)
  const status = event?.status ?? 'draft'
  const severalPrices = hasSeveralTickets ? event : null
  const typed = useWatch({ control: form.control })
  const settled = useRef({ startsAt: values.startsAt, endsAt: values.endsAt })
  const moment = (name: (typeof moments)[number]) => ({
    ...fieldOf(form.register(name)),
    error: errors[name]?.message,
    value: typed[name] ?? '',
    onChange: (next: string) => {
      if (next === typed[name]) return
      form.setValue(name, next, { shouldDirty: true })
      form.clearErrors(name)
    },
  })
  /** The end follows the start once that is complete: while it is typed, it passes through other dates. */
  const settleStart = (startsAt: string) => {
    const endsAt = endAfter(settled.current, startsAt)
    if (endsAt !== null) {
      form.setValue('endsAt', endsAt, { shouldDirty: true })
      form.clearErrors('endsAt')
    }
    settled.current = { startsAt, endsAt: endsAt ?? form.getValues('endsAt') }
  }
  const settleEnd = (endsAt: string) => {
    settled.current = { ...settled.current, endsAt }
  }

  return (
    <form onSubmit={submitAs(status)} noValidate>
      <LeaveGuard isDirty={isChanged && !isLeaving} />
      <SavingFields isSaving={isSubmitting}>
        {isConflict && <EditConflict onReload={onReload} />}
        <div className={styles.parts}>
          <Stack component="section" className="card" aria-labelledby="event">
            <h2 id="event">{texts.theEvent()}</h2>
            <TextInput label={texts.name()} required {...text('name')} />
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <MomentField label={texts.starts()} required {...moment('startsAt')} onSettled={settleStart} />
              <MomentField label={texts.ends()} required {...moment('endsAt')} onSettled={settleEnd} />
            </SimpleGrid>
            <NativeSelect
              label={texts.timeZone()}
              description={texts.zoneHint()}
              data={timeZonesWith(values.timeZone)}
              {...text('timeZone')}
            />
            <TextInput label={texts.placeOptional()} {...text('location')} />
            <MarkdownField
              label={texts.descriptionOptional()}
              minRows={4}
              error={errors.description?.message}
              field={form.register('description')}
            />
          </Stack>
          <section className={`card ${styles.banner}`} aria-label={texts.banner()}>
            <ImageField
              what="banner"
              kind="event-banner"
              name={event?.name ?? ''}
              colour={colour}
              current={event?.banner ?? ''}
              change={image}
              onChange={setImage}
              error={imageError}
            />
          </section>
          <section className="card" aria-labelledby="price">
            <h2 id="price">{texts.placesAndPrice()}</h2>
            <div className={styles.money}>
              <TextInput
                label={texts.capacityOptional()}
                description={texts.emptyNoLimit()}
                inputMode="numeric"
                {...text('maxAttendees')}
              />
              {!severalPrices && (
                <TextInput
                  label={texts.price()}
                  description={texts.text0Free()}
                  inputMode="decimal"
                  {...text('ticketPrice')}
                />
              )}
              <NativeSelect label={texts.currency()} data={currenciesWith(values.currency)} {...text('currency')} />
              {severalPrices && <SeveralPrices event={severalPrices} />}
            </div>
          </section>
          <Registering isFolded={event === null} fold={rare}>
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <MomentField
                label={texts.registrationOpensOptional()}
                description={texts.emptyAtOnce()}
                {...moment('registrationOpensAt')}
              />
              <MomentField
                label={texts.registrationClosesOptional()}
                description={texts.emptyAtTheEnd()}
                {...moment('registrationClosesAt')}
              />
              <TextInput
                label={texts.byEmail()}
                description={texts.byEmailHint()}
                inputMode="numeric"
                {...text('maxPerEmail')}
              />
              <MomentField
                label={texts.correctionsUntil()}
                description={texts.emptyUntilTheStart()}
                {...moment('correctionsUntil')}
              />
              <TextInput
                label={retentionTexts.keepDaysOfEvent()}
                description={retentionTexts.keepDaysOfEventHint()}
                inputMode="numeric"
                {...text('keepDays')}
              />
            </SimpleGrid>
            <Checkbox
              label={texts.allowsHandOn()}
              description={texts.allowsHandOnHint()}
              {...form.register('allowsHandOn')}
            />
            <Checkbox
              label={texts.allowsReentry()}
              description={texts.allowsReentryHint()}
              {...form.register('allowsReentry')}
            />
            {isNews && event && (
              <Checkbox
                label={texts.tellTheAttendees()}
                description={texts.newsText()}
                checked={tellAttendees}
                onChange={({ currentTarget }) => setTellAttendees(currentTarget.checked)}
              />
            )}
          </Registering>
        </div>
        <StickyBar
          state={
            wrong > 0
              ? controlTexts.notSavedProblems({ count: wrong })
              : isChanged
                ? texts.unsaved()
                : event
                  ? texts.noChanges()
                  : texts.notSavedYet()
          }
          isFloating={isChanged}
          isTall={status === 'draft'}
        >
          <SaveButton isIdle={!isChanged && event !== null} isSaving={save.isPending}>
            {status === 'draft' ? texts.saveAsDraft() : texts.save()}
          </SaveButton>
          {status === 'draft' && (
            <Button variant="light" loading={save.isPending} onClick={submitAs('published')}>
              {texts.saveAndPublish()}
            </Button>
          )}
        </StickyBar>
      </SavingFields>
    </form>
  )
}

interface RegisteringProps {
  /** Whether it opens on demand: a new event needs none of it. */
  isFolded: boolean
  fold: RefObject<HTMLDetailsElement | null>
  children: ReactNode
}

/** The section about when and how people register. */
function Registering({ isFolded, fold, children }: RegisteringProps) {
  if (!isFolded)
    return (
      <Stack component="section" className="card" aria-labelledby="registering">
        <h2 id="registering">{texts.registrationHeading()}</h2>
        {children}
      </Stack>
    )
  return (
    <FoldedCard heading={texts.registrationHeading()} about={texts.registrationFold()} fold={fold}>
      {children}
    </FoldedCard>
  )
}

const moments = ['startsAt', 'endsAt', 'registrationOpensAt', 'registrationClosesAt', 'correctionsUntil'] as const

/** Whether the input changes time or place of a published event that people have registered for. */
function useNewsForAttendees(event: Event | null, control: Control<EventFormValues>): boolean {
  const { fields, errors } = toFields(useWatch({ control, compute: (values) => values }))
  return event?.status === 'published' && event.registrationCount > 0 && errors.length === 0 && isMoved(event, fields)
}

/** Where there are several tickets, their prices are changed with them. */
function SeveralPrices({ event }: { event: Event }) {
  return (
    <Input.Wrapper className={styles.several} label={texts.price()} labelElement="div">
      <p className="muted small">
        <Parts
          of={texts.severalPrices({
            prices: formatPrices(event),
            link: (text) => <Link to={paths.ticketTypes(event.id)}>{text}</Link>,
          })}
        />
      </p>
    </Input.Wrapper>
  )
}

/** What a controlled field needs of its registration. */
const fieldOf = ({ name, ref, onBlur }: UseFormRegisterReturn) => ({ name, ref, onBlur })

const formFields = z.omit(eventFields, { status: true })

/** Converts the texts to the call's fields, or returns the errors that the server would give. */
function readFields(texts: EventFormValues) {
  const { fields, errors } = toFields(texts)
  // Encoded as for the request, so that the form shows the same messages as the server.
  const checked = z.safeParse(formFields, z.safeEncode(formFields, fields).data ?? fields)
  const issues = checked.success ? [] : wrongFields(checked.error.issues)
  const all = [...errors, ...issues.filter(({ path }) => path !== 'startsAt' && path !== 'endsAt')]
  const contradictions = errors.length === 0 ? validateTimes(fields) : []
  if (all.length + contradictions.length > 0)
    throw new Refusal('INVALID_INPUT', { fields: [...all, ...contradictions] })
  return fields
}
