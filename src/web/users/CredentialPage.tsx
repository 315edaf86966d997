import { zodResolver } from '@hookform/resolvers/zod'
import { Button, CopyButton, Group, Menu, Stack, TextInput } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useParams } from 'react-router'
import * as z from 'zod/mini'
import { clubApi } from '../../contract/clubs.ts'
import type { Payload } from '../../contract/endpoint.ts'
import { securityApi } from '../../contract/security.ts'
import { appUserApi, type Member } from '../../contract/users.ts'
import { email, requiredLine } from '../../contract/values/fields.ts'
import * as fieldTexts from '../../texts/generated/fields.ts'
import * as teamTexts from '../../texts/generated/team.ts'
import * as texts from '../../texts/generated/users.ts'
import { query, useCall } from '../api/query.ts'
import { readId } from '../read-id.ts'
import { baseUrl } from '../site.ts'
import styles from '../team/TeamPage.module.css'
import { contactLink } from '../ui/contact-link.ts'
import { FormDialog } from '../ui/dialogs/FormDialog.tsx'
import { RemovalDialog } from '../ui/dialogs/RemovalDialog.tsx'
import { Attention } from '../ui/forms/Attention.tsx'
import { showFieldErrors } from '../ui/forms/form-errors.ts'
import { MoreButton } from '../ui/menus/MoreButton.tsx'
import { Parts } from '../ui/Parts.tsx'
import { Person } from './Person.tsx'
import { useReadTeamAgain } from './use-read-team-again.ts'

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
      <h1>{texts.adminsOf({ club: club.name })}</h1>
      <Stack>
        <section className="card" aria-labelledby="admins">
          <h2 id="admins">{texts.people()}</h2>
          {data.admins.length === 0 ? (
            <p>{texts.noAdmins()}</p>
          ) : (
            <ul className={styles.people}>
              {data.admins.map((admin) => (
                <AdminRow key={admin.id} admin={admin} onReset={setCredential} />
              ))}
            </ul>
          )}
        </section>
        {credential && (
          <ShownOnce key={credential.password} credential={credential} phone={club.phone} clubName={club.name} />
        )}
        <NewCredential clubId={clubId} onMade={setCredential} />
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
  const message = texts.signInMessage({ club: clubName, email: credential.email, link: credential.link ?? '' })
  const heading = useRef<HTMLHeadingElement>(null)
  // Scrolls there, and screen readers read it.
  useEffect(() => heading.current?.focus(), [])
  return (
    <section className="card" aria-labelledby="shown-once">
      <h2 id="shown-once" ref={heading} tabIndex={-1}>
        {texts.passThisOnNow()}
      </h2>
      <p>{texts.shownOnce()}</p>
      <p>
        <Parts of={texts.emailIs({ email: credential.email, strong: (text) => <strong>{text}</strong> })} />
        <br />
        <Parts
          of={texts.passwordIs({
            password: credential.password,
            strong: (text) => <strong className="code">{text}</strong>,
          })}
        />
      </p>
      <Group>
        <CopyButton value={text}>
          {({ copied, copy }) => <Button onClick={copy}>{copied ? texts.copied() : texts.copyAll()}</Button>}
        </CopyButton>
        {credential.link && (
          <>
            <CopyButton value={credential.link}>
              {({ copied, copy }) => (
                <Button variant="light" onClick={copy}>
                  {copied ? texts.copied() : texts.copyLink()}
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
              {texts.sendByWhatsApp()}
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
      <h2>{texts.newAdmin()}</h2>
      <p className="muted">{texts.newAdminHint()}</p>
      <Stack>
        <TextInput label={texts.name()} required error={errors.fullName?.message} {...form.register('fullName')} />
        <TextInput
          label={texts.eMail()}
          type="email"
          required
          error={errors.email?.message}
          {...form.register('email')}
        />
        <Button type="submit" w={{ base: '100%', sm: 'fit-content' }} loading={isSubmitting}>
          {texts.addTheAdmin()}
        </Button>
      </Stack>
    </form>
  )
}

type Asked = 'edit' | 'reset' | 'factor' | 'remove' | null

function AdminRow({ admin, onReset }: { admin: Member; onReset: (credential: Credential) => void }) {
  const save = useCall(appUserApi.save)
  const remove = useCall(appUserApi.removeAppUser)
  const resetFactor = useCall(securityApi.resetFactor)
  const credentialOf = useCredential()
  const readAgain = useReadTeamAgain()
  const [asked, setAsked] = useState<Asked>(null)
  const { id, fullName, email: address, clubId } = admin
  const close = () => setAsked(null)
  const reset = async () => {
    const saved = await save.mutateAsync({ payload: { id, fullName, email: address, clubId, resetPassword: true } })
    close()
    onReset(await credentialOf(saved))
  }
  return (
    <Group component="li" wrap="nowrap" justify="space-between" className={styles.row}>
      <Person of={admin}>{admin.hasSecondFactor && <span className="badge good">{teamTexts.twoSteps()}</span>}</Person>
      <Menu position="bottom-end">
        <Menu.Target>
          <MoreButton of={fullName} isCompact />
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setAsked('edit')}>{texts.edit()}</Menu.Item>
          <Menu.Item onClick={() => setAsked('reset')}>{texts.newPassword()}</Menu.Item>
          {admin.hasSecondFactor && <Menu.Item onClick={() => setAsked('factor')}>{teamTexts.resetFactor()}</Menu.Item>}
          <Menu.Item color="var(--bad)" onClick={() => setAsked('remove')}>
            {texts.remove()}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <EditAdmin admin={admin} isOpen={asked === 'edit'} onClose={close} />
      <RemovalDialog
        title={texts.newPasswordFor({ name: fullName })}
        action={texts.endOldPassword()}
        isOpen={asked === 'reset'}
        isBusy={save.isPending}
        onConfirm={() => void reset().catch(() => {})}
        onClose={close}
      >
        <p>{texts.oldPasswordEnds({ name: fullName })}</p>
      </RemovalDialog>
      <RemovalDialog
        title={teamTexts.resetFactorTitle({ name: fullName })}
        action={teamTexts.resetFactor()}
        isOpen={asked === 'factor'}
        isBusy={resetFactor.isPending}
        onConfirm={() =>
          resetFactor.mutate({ payload: { clubId: clubId ?? 0, id } }, { onError: readAgain, onSettled: close })
        }
        onClose={close}
      >
        <p>{teamTexts.resetFactorText({ name: fullName })}</p>
      </RemovalDialog>
      <RemovalDialog
        title={texts.removeOne({ name: fullName })}
        action={texts.remove()}
        isOpen={asked === 'remove'}
        isBusy={remove.isPending}
        onConfirm={() =>
          remove.mutate(
            { appUserId: id, clubId: clubId ?? 0, version: admin.version },
            { onError: readAgain, onSettled: close },
          )
        }
        onClose={close}
      >
        <p>{texts.removeText({ name: fullName })}</p>
      </RemovalDialog>
    </Group>
  )
}

function EditAdmin({ admin, isOpen, onClose }: { admin: Member; isOpen: boolean; onClose: () => void }) {
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
    <FormDialog
      isOpen={isOpen}
      isDirty={isDirty}
      isBusy={isSubmitting}
      onClose={close}
      title={texts.editOne({ name: fullName })}
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          <Attention count={Object.keys(errors).length} />
          <TextInput label={texts.name()} required error={errors.fullName?.message} {...form.register('fullName')} />
          <TextInput
            label={texts.eMail()}
            type="email"
            required
            error={errors.email?.message}
            {...form.register('email')}
          />
          <Button type="submit" loading={isSubmitting}>
            {texts.save()}
          </Button>
        </Stack>
      </form>
    </FormDialog>
  )
}
