import { zodResolver } from '@hookform/resolvers/zod'
import { Button, Group, Menu, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FormProvider, useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { securityApi } from '../../contract/security.ts'
import { teamApi } from '../../contract/team.ts'
import { appUserApi, type Member } from '../../contract/users.ts'
import * as texts from '../../texts/generated/team.ts'
import { call } from '../api/call.ts'
import { useCall } from '../api/query.ts'
import { refreshSession } from '../session/load-session.ts'
import { may } from '../session/may.ts'
import { DialogButtons } from '../ui/buttons/DialogButtons.tsx'
import { FormDialog } from '../ui/dialogs/FormDialog.tsx'
import { RemovalDialog } from '../ui/dialogs/RemovalDialog.tsx'
import { Attention } from '../ui/forms/Attention.tsx'
import { showFieldErrors } from '../ui/forms/form-errors.ts'
import { MoreButton } from '../ui/menus/MoreButton.tsx'
import { Person } from '../users/Person.tsx'
import { useReadTeamAgain } from '../users/use-read-team-again.ts'
import { PlaceField } from './PlaceField.tsx'
import { fromStored, placeField, toStored } from './place.ts'
import styles from './TeamPage.module.css'

interface Props {
  member: Member
  clubId: number
  isSelf: boolean
}

/** Somebody of the team, or invited to it, with what can be done about them. */
export function MemberRow({ member, clubId, isSelf }: Props) {
  const remove = useCall(appUserApi.removeAppUser)
  const inviteAgain = useCall(teamApi.inviteAgain)
  const resetFactor = useCall(securityApi.resetFactor)
  const readAgain = useReadTeamAgain()
  const [asked, setAsked] = useState<'role' | 'remove' | 'factor' | null>(null)
  const { id, fullName, invitedUntil, version } = member
  const close = () => setAsked(null)
  return (
    <Group component="li" wrap="nowrap" justify="space-between" className={styles.row}>
      <Person of={member}>
        {isSelf && <span className="badge calm">{texts.you()}</span>}{' '}
        {member.hasSecondFactor && <span className="badge good">{texts.twoSteps()}</span>}
      </Person>
      <Menu position="bottom-end">
        <Menu.Target>
          <MoreButton of={fullName} isCompact />
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setAsked('role')}>{texts.changeRole()}</Menu.Item>
          {invitedUntil && (
            <Menu.Item
              disabled={inviteAgain.isPending}
              onClick={() => inviteAgain.mutate({ payload: { clubId, id } }, { onError: readAgain })}
            >
              {texts.sendAgain()}
            </Menu.Item>
          )}
          {!isSelf && member.hasSecondFactor && (
            <Menu.Item onClick={() => setAsked('factor')}>{texts.resetFactor()}</Menu.Item>
          )}
          {!isSelf && (
            <Menu.Item color="var(--bad)" onClick={() => setAsked('remove')}>
              {invitedUntil ? texts.withdraw() : texts.remove()}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {asked === 'role' && <RoleDialog member={member} clubId={clubId} isSelf={isSelf} onClose={close} />}
      <RemovalDialog
        title={invitedUntil ? texts.withdrawTitle({ name: fullName }) : texts.removeTitle({ name: fullName })}
        action={invitedUntil ? texts.withdraw() : texts.remove()}
        isOpen={asked === 'remove'}
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate({ appUserId: id, clubId, version }, { onError: readAgain, onSettled: close })}
        onClose={close}
      >
        <p>{invitedUntil ? texts.withdrawText() : texts.removeText({ name: fullName })}</p>
      </RemovalDialog>
      <RemovalDialog
        title={texts.resetFactorTitle({ name: fullName })}
        action={texts.resetFactor()}
        isOpen={asked === 'factor'}
        isBusy={resetFactor.isPending}
        onConfirm={() => resetFactor.mutate({ payload: { clubId, id } }, { onError: readAgain, onSettled: close })}
        onClose={close}
      >
        <p>{texts.resetFactorText({ name: fullName })}</p>
      </RemovalDialog>
    </Group>
  )
}

const roleFields = z.object({ place: placeField })

function RoleDialog({ member, clubId, isSelf, onClose }: Props & { onClose: () => void }) {
  const save = useCall(appUserApi.save)
  const client = useQueryClient()
  const { id, fullName, email, version, teamRole, eventIds } = member
  const form = useForm({
    resolver: zodResolver(roleFields),
    defaultValues: { place: fromStored({ teamRole: teamRole ?? 'owner', eventIds }) },
  })
  const { errors, isSubmitting, isDirty } = form.formState
  const submit = form.handleSubmit(async ({ place }) => {
    try {
      const input = { payload: { id, fullName, email, clubId, version, ...toStored(place) } }
      if (isSelf) {
        // What one may do oneself is read first: the team may no longer be among what the page then reads again.
        await call(appUserApi.save, input)
        const session = await refreshSession().catch(() => null)
        await client.invalidateQueries({ refetchType: may(session?.user, 'team') ? 'active' : 'none' })
      } else await save.mutateAsync(input)
      onClose()
    } catch (error) {
      for (const message of showFieldErrors(form, error, 'payload.')) form.setError('place.eventIds', { message })
    }
  })
  return (
    <FormDialog
      title={texts.changeRoleOf({ name: fullName })}
      size="lg"
      isDirty={isDirty}
      isBusy={isSubmitting}
      onClose={onClose}
    >
      <FormProvider {...form}>
        <form onSubmit={submit} noValidate>
          <Stack>
            <Attention count={Object.keys(errors).length} />
            <PlaceField clubId={clubId} />
            <DialogButtons>
              <Button variant="default" onClick={onClose}>
                {texts.closeWithoutSaving()}
              </Button>
              <Button type="submit" loading={isSubmitting}>
                {texts.save()}
              </Button>
            </DialogButtons>
          </Stack>
        </form>
      </FormProvider>
    </FormDialog>
  )
}
