import { zodResolver } from '@hookform/resolvers/zod'
import { Button, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { Navigate, useNavigate, useParams } from 'react-router'
import { type ClubFields, clubApi, clubFields, newClub } from '../../contract/clubs.ts'
import { query, useCall } from '../api/call.ts'
import { useSession } from '../api/session.ts'
import { homeOf } from '../guards.ts'
import { currencies, timeZones } from '../ui/choices.ts'
import { showFieldErrors } from '../ui/form-errors.ts'
import { PageTitle } from '../ui/PageTitle.tsx'

/** Adds a club, or edits the one of the address; without an id there, an admin edits their own. */
export function ClubFormPage() {
  const { clubId } = useParams()
  const session = useSession()
  const isNew = window.location.pathname.endsWith('/add')
  const id = clubId ? Number(clubId) : (session?.user.clubId ?? null)
  if (!isNew && id === null && session) return <Navigate to={homeOf(session.user)} />
  return (
    <div className="page narrow">
      <PageTitle title={isNew ? 'Add a club' : 'Edit the club'} />
      <h1>{isNew ? 'Add a club' : 'Edit the club'}</h1>
      {isNew || id === null ? <ClubForm id={null} club={newClubFields()} /> : <EditClub id={id} />}
    </div>
  )
}

function EditClub({ id }: { id: number }) {
  const { data } = useSuspenseQuery({ ...query(clubApi.getClub, { clubId: id }), staleTime: 0 })
  const { id: _, logo: _logo, createdAt: _createdAt, ...club } = data
  return <ClubForm id={id} club={club} />
}

/** The zone of whoever adds the club is the likeliest one. */
function newClubFields(): ClubFields {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return { ...newClub, name: '', timeZone: timeZones.includes(timeZone) ? timeZone : newClub.timeZone }
}

function ClubForm({ id, club }: { id: number | null; club: ClubFields }) {
  const navigate = useNavigate()
  const session = useSession()
  const save = useCall(clubApi.save)
  const form = useForm({ resolver: zodResolver(clubFields), defaultValues: club })
  const { errors, isSubmitting } = form.formState
  const submit = form.handleSubmit((fields) =>
    save
      .mutateAsync({ ...fields, ...(id !== null && { id }) })
      .then(() => session && navigate(homeOf(session.user)))
      .catch((error: unknown) => void showFieldErrors(form, error)),
  )
  return (
    <form className="card" onSubmit={submit} noValidate>
      <Stack>
        <TextInput label="Name" required error={errors.name?.message} {...form.register('name')} />
        <TextInput label="Place" error={errors.location?.message} {...form.register('location')} />
        <Textarea
          label="About the club"
          autosize
          minRows={3}
          error={errors.description?.message}
          {...form.register('description')}
        />
        <TextInput label="E-mail for visitors" type="email" error={errors.email?.message} {...form.register('email')} />
        <TextInput label="Phone" type="tel" error={errors.phone?.message} {...form.register('phone')} />
        <TextInput label="Website" type="url" error={errors.website?.message} {...form.register('website')} />
        <NativeSelect
          label="Currency"
          data={currencies}
          error={errors.currency?.message}
          {...form.register('currency')}
        />
        <NativeSelect
          label="Time zone"
          data={timeZones}
          error={errors.timeZone?.message}
          {...form.register('timeZone')}
        />
        <Button type="submit" size="md" loading={isSubmitting}>
          Save
        </Button>
      </Stack>
    </form>
  )
}
