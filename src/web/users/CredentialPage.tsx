import { zodResolver } from '@hookform/resolvers/zod'
import { Button, CopyButton, Stack, TextInput } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useParams } from 'react-router'
import * as z from 'zod/mini'
import { clubApi } from '../../contract/clubs.ts'
import { email, requiredLine } from '../../contract/fields.ts'
import { type AppUser, appUserApi } from '../../contract/users.ts'
import { query, useCall } from '../api/call.ts'
import { showFieldErrors } from '../ui/form-errors.ts'
import { PageTitle } from '../ui/PageTitle.tsx'

interface Credential {
  email: string
  password: string
}

/** A club's admins, and the way to a new credential. A password is seen here once and nowhere again. */
export function CredentialPage() {
  const clubId = Number(useParams().clubId)
  const { data: club } = useSuspenseQuery(query(clubApi.getClub, { clubId }))
  const { data } = useSuspenseQuery(query(appUserApi.getAppUsers, { clubId }))
  const [credential, setCredential] = useState<Credential | null>(null)
  return (
    <div className="page narrow">
      <PageTitle title="Credentials" />
      <h1>Credentials of {club.name}</h1>
      <Stack>
        {credential && <ShownOnce credential={credential} />}
        <NewCredential clubId={clubId} onMade={setCredential} />
        <section className="card" aria-labelledby="admins">
          <h2 id="admins">Admins</h2>
          {data.admins.length === 0 && <p>Nobody can sign in for this club yet.</p>}
          <Stack>
            {data.admins.map((admin) => (
              <AdminRow key={admin.id} admin={admin} onReset={setCredential} />
            ))}
          </Stack>
        </section>
      </Stack>
    </div>
  )
}

function ShownOnce({ credential }: { credential: Credential }) {
  const text = `${window.location.origin}/signin\n${credential.email}\n${credential.password}`
  return (
    <section className="card" aria-live="polite">
      <h2>Pass this on now</h2>
      <p>The password is shown this once. Whoever signs in with it can change it.</p>
      <p>
        E-mail: <strong>{credential.email}</strong>
        <br />
        Password: <strong className="code">{credential.password}</strong>
      </p>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button onClick={copy}>{copied ? 'Copied' : 'Copy address, e-mail and password'}</Button>
        )}
      </CopyButton>
    </section>
  )
}

const fields = z.object({ fullName: requiredLine(120, 'Enter a name.'), email })

function NewCredential({ clubId, onMade }: { clubId: number; onMade: (credential: Credential) => void }) {
  const save = useCall(appUserApi.save)
  const form = useForm({ resolver: zodResolver(fields), defaultValues: { fullName: '', email: '' } })
  const { errors, isSubmitting } = form.formState
  const submit = form.handleSubmit(async (values) => {
    try {
      const saved = await save.mutateAsync({ payload: { ...values, clubId } })
      onMade({ email: saved.email, password: saved.password ?? '' })
      form.reset()
    } catch (error) {
      showFieldErrors(form, error, 'payload.')
    }
  })
  return (
    <form className="card" onSubmit={submit} noValidate>
      <h2>New admin</h2>
      <Stack>
        <TextInput label="Name" required error={errors.fullName?.message} {...form.register('fullName')} />
        <TextInput label="E-mail" type="email" required error={errors.email?.message} {...form.register('email')} />
        <Button type="submit" loading={isSubmitting}>
          Generate credential
        </Button>
      </Stack>
    </form>
  )
}

function AdminRow({ admin, onReset }: { admin: AppUser; onReset: (credential: Credential) => void }) {
  const save = useCall(appUserApi.save)
  const [asked, setAsked] = useState(false)
  const { id, fullName, email: address, clubId } = admin
  const reset = async () => {
    setAsked(false)
    const saved = await save.mutateAsync({ payload: { id, fullName, email: address, clubId, resetPassword: true } })
    onReset({ email: saved.email, password: saved.password ?? '' })
  }
  return (
    <div className="row spread">
      <div>
        <strong>{fullName}</strong>
        <br />
        <span className="muted small">{address}</span>
      </div>
      {asked ? (
        <div className="row">
          <Button color="red" loading={save.isPending} onClick={() => void reset().catch(() => {})}>
            Yes, end the old password
          </Button>
          <Button variant="subtle" onClick={() => setAsked(false)}>
            Keep it
          </Button>
        </div>
      ) : (
        <Button variant="light" onClick={() => setAsked(true)}>
          New password
        </Button>
      )}
    </div>
  )
}
