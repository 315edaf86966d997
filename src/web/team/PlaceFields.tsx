import { Checkbox, Radio, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { eventApi } from '../../contract/events.ts'
import { type TeamRole, teamRoles } from '../../contract/permissions.ts'
import { teamRoleNames } from '../../contract/team-role-names.ts'
import { formatDate } from '../../contract/values/dates.ts'
import * as texts from '../../texts/generated/team.ts'
import type { Message } from '../../texts/language.ts'
import { query } from '../api/query.ts'
import { LoadFailed } from '../layouts/LoadFailed.tsx'
import { Loading } from '../ui/Loading.tsx'
import { useNow } from '../ui/use-now.ts'
import type { Place } from './place.ts'
import styles from './TeamPage.module.css'

interface Props {
  value: Place
  onChange: (place: Place) => void
  clubId: number
  /** What is wrong with the events. */
  error?: string | undefined
}

const roleTexts: Readonly<Record<TeamRole, Message>> = {
  owner: texts.ownerText,
  manager: texts.managerText,
  treasurer: texts.treasurerText,
  door: texts.doorText,
}

/** A role in the team, and for somebody at the door the events. */
export function PlaceFields({ value, onChange, clubId, error }: Props) {
  const { teamRole, isLimited } = value
  const choose = (chosen: string) => {
    const role = teamRoles.find((each) => each === chosen)
    if (role) onChange({ ...value, teamRole: role })
  }
  return (
    <>
      <Radio.Group label={texts.role()} value={teamRole} onChange={choose}>
        <Stack gap="xs" mt="xs">
          {teamRoles.map((role) => (
            <Radio key={role} value={role} label={teamRoleNames[role]()} description={roleTexts[role]()} />
          ))}
        </Stack>
      </Radio.Group>
      {teamRole === 'door' && (
        <Radio.Group
          label={texts.whichEvents()}
          value={isLimited ? 'some' : 'all'}
          onChange={(chosen) => onChange({ ...value, isLimited: chosen === 'some' })}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="all" label={texts.allEvents()} />
            <Radio value="some" label={texts.onlyThese()} />
          </Stack>
        </Radio.Group>
      )}
      {teamRole === 'door' && isLimited && (
        <EventChoice value={value} onChange={onChange} clubId={clubId} error={error} />
      )}
    </>
  )
}

/** The club's events that are not over, and those chosen before. */
function EventChoice({ value, onChange, clubId, error }: Props) {
  const now = useNow()
  const [chosenBefore] = useState(value.eventIds)
  const { data: events, error: problem, refetch, isFetching } = useQuery(query(eventApi.getAllEvents, { clubId }))
  if (!events)
    return problem ? <LoadFailed error={problem} onRetry={() => void refetch()} isRetrying={isFetching} /> : <Loading />
  const offered = events
    .filter((event) => event.endsAt > now || chosenBefore.includes(event.id))
    .sort((a, b) => a.startsAt.getTime() - b.startsAt.getTime())
  if (offered.length === 0) return <p role="alert">{texts.noEvents()}</p>
  return (
    <Checkbox.Group
      aria-label={texts.onlyThese()}
      value={value.eventIds.map(String)}
      // Without those that were removed since.
      onChange={(chosen) =>
        onChange({ ...value, eventIds: offered.map(({ id }) => id).filter((id) => chosen.includes(String(id))) })
      }
      error={error}
    >
      <Stack gap="xs" className={styles.events}>
        {offered.map(({ id, name, startsAt, timeZone }) => (
          <Checkbox key={id} value={String(id)} label={name} description={formatDate(startsAt, timeZone)} />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}
