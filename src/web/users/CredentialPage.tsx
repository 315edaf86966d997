import { zodResolver } from '@hookform/resolvers/zod'
import { Button, CopyButton, Group, Menu, Stack, TextInput } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useParams } from 'react-router'
import * as z from 'zod/mini'
import { clubApi } from '../../contract/clubs.ts'
import type { Payload } from '../../contract/endpoint.ts'
import { type AppUser, appUserApi } from '../../contract/users.ts'
import { email, requiredLine } from '../../contract/values/fields.ts'
import * as fieldTexts from '../../texts/generated/fields.ts'
import { query, useCall } from '../api/query.ts'
import { readId } from '../read-id.ts'
import { baseUrl } from '../site.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { contactLink } from '../ui/contact-link.ts'
import { FormDialog } from '../ui/dialogs/FormDialog.tsx'
import { RemovalDialog } from '../ui/dialogs/RemovalDialog.tsx'
import { Attention } from '../ui/forms/Attention.tsx'
import { showFieldErrors } from '../ui/forms/form-errors.ts'
import { MoreButton } from '../ui/menus/MoreButton.tsx'

interface Credential {
  email: string
  password: string
  /** The link to choose a password of their own; null if it could not be made. */
  link: string | null
}

/** The credential of somebody whose password was just generated, with a link to pass on. */
function useCredential(): (saved: Payload<typeof appUserApi.save>) => Promise<Credential> {
  const makeLink = useCall(appUserApi.makePasswordLink)
  return async ({ id, email: address, password = '' }) => {
    const link = await makeLink.mutateAsync({ payload: { id } }).catch(() => null)
    return { email: address, password, link: link?.url ?? null }
  }
}

/** A club's admins, with a way to make new credentials. A password is shown here once and never again. */
export function CredentialPage() {
  const clubId = readId(useParams().clubId)
  const { data: club } = useSuspenseQuery(query(clubApi.getClub, { clubId }))
  const { data } = useSuspenseQuery(query(appUserApi.getAppUsers, { clubId }))
  const [credential, setCredential] = useState<Credential | null>(null)
  return (
    <div className="page narrow">
      <h1>Admins of {club.name}</h1>
      <Stack>
        {credential && <ShownOnce credential={credential} phone={club.phone} clubName={club.name} />}
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

interface ShownOnceProps {
  credential: Credential
  phone: string
  clubName: string
}

function ShownOnce({ credential, phone, clubName }: ShownOnceProps) {
  const text = `${baseUrl()}/signin\n${credential.email}\n${credential.password}`
  // A chat keeps its messages: a used link is worthless, but a password would stay valid.
  const message = `Your sign-in for ${clubName} is ${credential.email}. Choose your password here, within three days: ${credential.link}`
  return (
    <section className="card" aria-live="polite">
      <h2>Pass this on now</h2>
      <p>The password is shown this once. Better: send the link, with which they choose their own.</p>
      <p>
        E-mail: <strong>{credential.email}</strong>
        <br />
        Password: <strong className="code">{credential.password}</strong>
      </p>
      <Group>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button onClick={copy}>{copied ? 'Copied' : 'Copy address, e-mail and password'}</Button>
          )}
        </CopyButton>
        {credential.link && (
          <>
            <CopyButton value={credential.link}>
              {({ copied, copy }) => (
                <Button variant="light" onClick={copy}>
                  {copied ? 'Copied' : 'Copy the link to choose a password'}
                </Button>
              )}
            </CopyButton>
            <Button
              component="a"
              href={contactLink(phone, message)}
              target="_blank"
              rel="noopener noreferrer"
              variant="light"
            >
              Send the link by WhatsApp
            </Button>
          </>
        )}
      </Group>
    </section>
  )
}

const fields = z.object({ fullName: requiredLine(120, fieldTexts.nameNeeded), email })

function NewCredential({ clubId, onMade }: { clubId: number; onMade: (credential: Credential) => void }) {
  const save = useCall(appUserApi.save)
  const credentialOf = useCredential()
  const form = useForm({ resolver: zodResolver(fields), defaultValues: { fullName: '', email: '' } })
  const { errors, isSubmitting } = form.formState
  const submit = form.handleSubmit(async (values) => {
    try {
      const saved = await save.mutateAsync({ payload: { ...values, clubId } })
      onMade(await credentialOf(saved))
      form.reset()
    } catch (error) {
      showFieldErrors(form, error, 'payload.')
    }
  })
  return (
    <form className="card" onSubmit={submit} noValidate>
      <h2>New admin</h2>
      <p className="muted">You then get a link for them to choose their own password. No mail is sent.</p>
      <Stack>
        <TextInput label="Name" required error={errors.fullName?.message} {...form.register('fullName')} />
        <TextInput label="E-mail" type="email" required error={errors.email?.message} {...form.register('email')} />
        <Button type="submit" w={{ base: '100%', sm: 'fit-content' }} loading={isSubmitting}>
          Add the admin
        </Button>
      </Stack>
    </form>
  )
}

type Asked = 'edit' | 'reset' | 'remove' | null

function AdminRow({ admin, onReset }: { admin: AppUser; onReset: (credential: Credential) => void }) {
  const save = useCall(appUserApi.save)
  const remove = useCall(appUserApi.removeAppUser)
  const credentialOf = useCredential()
  const [asked, setAsked] = useState<Asked>(null)
  const { id, fullName, email: address, clubId } = admin
  const close = () => setAsked(null)
  const reset = async () => {
    const saved = await save.mutateAsync({ payload: { id, fullName, email: address, clubId, resetPassword: true } })
    close()
    onReset(await credentialOf(saved))
  }
  return (
    <div className="row spread">
      <div className="row">
        <Avatar name={fullName} image={admin.image} />
        <div>
          <strong>{fullName}</strong>
          <br />
          <span className="muted small">{address}</span>
        </div>
      </div>
      <Menu position="bottom-end">
        <Menu.Target>
          <MoreButton of={fullName} />
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setAsked('edit')}>Edit</Menu.Item>
          <Menu.Item onClick={() => setAsked('reset')}>New password</Menu.Item>
          <Menu.Item color="var(--bad)" onClick={() => setAsked('remove')}>
            Remove
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <EditAdmin admin={admin} isOpen={asked === 'edit'} onClose={close} />
      <RemovalDialog
        title={`A new password for ${fullName}?`}
        action="Yes, end the old password"
        isOpen={asked === 'reset'}
        isBusy={save.isPending}
        onConfirm={() => void reset().catch(() => {})}
        onClose={close}
      >
        <p>The old password stops working, and {fullName} is signed out everywhere.</p>
      </RemovalDialog>
      <RemovalDialog
        title={`Remove ${fullName}?`}
        action="Remove"
        isOpen={asked === 'remove'}
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate({ appUserId: id, clubId: clubId ?? 0 }, { onSettled: close })}
        onClose={close}
      >
        <p>{fullName} can no longer sign in. Events and attendees stay.</p>
      </RemovalDialog>
    </div>
  )
}

function EditAdmin({ admin, isOpen, onClose }: { admin: AppUser; isOpen: boolean; onClose: () => void }) {
  const save = useCall(appUserApi.save)
  const { id, fullName, email: address, clubId } = admin
  const form = useForm({ resolver: zodResolver(fields), values: { fullName, email: address } })
  const { errors, isSubmitting, isDirty } = form.formState
  const close = () => {
    form.reset()
    onClose()
  }
  const submit = form.handleSubmit(async (values) => {
    try {
      await save.mutateAsync({ payload: { ...values, id, clubId } })
      onClose()
    } catch (error) {
      showFieldErrors(form, error, 'payload.')
    }
  })
  return (
    <FormDialog isOpen={isOpen} isDirty={isDirty} isBusy={isSubmitting} onClose={close} title={`Edit ${fullName}`}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <Attention count={Object.keys(errors).length} />
          <TextInput label="Name" required error={errors.fullName?.message} {...form.register('fullName')} />
          <TextInput label="E-mail" type="email" required error={errors.email?.message} {...form.register('email')} />
          <Button type="submit" loading={isSubmitting}>
            Save
          </Button>
        </Stack>
      </form>
    </FormDialog>
  )
}
