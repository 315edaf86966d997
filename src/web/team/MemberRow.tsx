import { zodResolver } from '@hookform/resolvers/zod'
import { Button, Group, Menu, Stack } from '@mantine/core'
import { useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { teamApi } from '../../contract/team.ts'
import { teamRoleNames } from '../../contract/team-role-names.ts'
import { type AppUser, appUserApi } from '../../contract/users.ts'
import { formatDate } from '../../contract/values/dates.ts'
import * as texts from '../../texts/generated/team.ts'
import { useCall } from '../api/query.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { FormDialog } from '../ui/dialogs/FormDialog.tsx'
import { RemovalDialog } from '../ui/dialogs/RemovalDialog.tsx'
import { Attention } from '../ui/forms/Attention.tsx'
import { showFieldErrors } from '../ui/forms/form-errors.ts'
import { MoreButton } from '../ui/menus/MoreButton.tsx'
import { useNow } from '../ui/use-now.ts'
import { PlaceFields } from './PlaceFields.tsx'
import { fromStored, placeField, toStored } from './place.ts'
import styles from './TeamPage.module.css'

interface Props {
  member: AppUser
  clubId: number
  isSelf: boolean
}

/** Somebody of the team, or invited to it, with what can be done about them. */
export function MemberRow({ member, clubId, isSelf }: Props) {
  const remove = useCall(appUserApi.removeAppUser)
  const inviteAgain = useCall(teamApi.inviteAgain)
  const [asked, setAsked] = useState<'role' | 'remove' | null>(null)
  const { id, fullName, email, image, invitedUntil } = member
  const close = () => setAsked(null)
  return (
    <Group wrap="nowrap" justify="space-between" className={styles.row}>
      <Group wrap="nowrap" gap="sm" className={styles.person}>
        <Avatar name={fullName} image={image} />
        <div>
          <strong>{fullName}</strong> {isSelf && <span className="badge calm">{texts.you()}</span>}
          <br />
          <span className="muted small">{email}</span>
          <br />
          <span className="small">{placeText(member)}</span>
          {invitedUntil && <InvitationState until={invitedUntil} />}
        </div>
      </Group>
      <Menu position="bottom-end">
        <Menu.Target>
          <MoreButton of={fullName} isCompact />
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setAsked('role')}>{texts.changeRole()}</Menu.Item>
          {invitedUntil && (
            <Menu.Item disabled={inviteAgain.isPending} onClick={() => inviteAgain.mutate({ payload: { clubId, id } })}>
              {texts.sendAgain()}
            </Menu.Item>
          )}
          {!isSelf && (
            <Menu.Item color="var(--bad)" onClick={() => setAsked('remove')}>
              {invitedUntil ? texts.withdraw() : texts.remove()}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {asked === 'role' && <RoleDialog member={member} clubId={clubId} onClose={close} />}
      <RemovalDialog
        title={invitedUntil ? texts.withdrawTitle({ name: fullName }) : texts.removeTitle({ name: fullName })}
        action={invitedUntil ? texts.withdraw() : texts.remove()}
        isOpen={asked === 'remove'}
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate({ appUserId: id, clubId }, { onSettled: close })}
        onClose={close}
      >
        <p>{invitedUntil ? texts.withdrawText() : texts.removeText({ name: fullName })}</p>
      </RemovalDialog>
    </Group>
  )
}

function placeText({ teamRole, eventIds }: AppUser): string {
  const role = teamRoleNames[teamRole ?? 'owner']()
  return eventIds === null ? role : `${role} · ${texts.atEvents({ count: eventIds.length })}`
}

function InvitationState({ until }: { until: Date }) {
  const now = useNow()
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return (
    <>
      <br />
      {until > now ? (
        <span className="badge calm">{texts.invitedUntil({ date: formatDate(until, timeZone) })}</span>
      ) : (
        <span className="badge warm">{texts.invitationExpired()}</span>
      )}
    </>
  )
}

const roleFields = z.object({ place: placeField })

function RoleDialog({ member, clubId, onClose }: { member: AppUser; clubId: number; onClose: () => void }) {
  const save = useCall(appUserApi.save)
  const { id, fullName, email, version, teamRole, eventIds } = member
  const form = useForm({
    resolver: zodResolver(roleFields),
    defaultValues: { place: fromStored({ teamRole: teamRole ?? 'owner', eventIds }) },
  })
  const { errors, isSubmitting, isDirty } = form.formState
  const submit = form.handleSubmit(async ({ place }) => {
    try {
      await save.mutateAsync({ payload: { id, fullName, email, clubId, version, ...toStored(place) } })
      onClose()
    } catch (error) {
      showFieldErrors(form, error, 'payload.')
    }
  })
  return (
    <FormDialog
      title={texts.changeRoleOf({ name: fullName })}
      isDirty={isDirty}
      isBusy={isSubmitting}
      onClose={onClose}
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          <Attention count={Object.keys(errors).length} />
          <Controller
            control={form.control}
            name="place"
            render={({ field: { value, onChange } }) => (
              <PlaceFields value={value} onChange={onChange} clubId={clubId} error={errors.place?.eventIds?.message} />
            )}
          />
          <Button type="submit" loading={isSubmitting}>
            {texts.save()}
          </Button>
        </Stack>
      </form>
    </FormDialog>
  )
}
