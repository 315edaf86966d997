import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { eventApi } from '../../contract/events.ts'
import { type HistorySubject, historyApi, historySubjects } from '../../contract/history.ts'
import { formatDate } from '../../contract/values/dates.ts'
import * as texts from '../../texts/generated/history.ts'
import type { Message } from '../../texts/language.ts'
import { query } from '../api/query.ts'
import styles from './HistoryPage.module.css'
import type { HistorySearch, useHistorySearch } from './history-filters.ts'

const subjects: Readonly<Record<HistorySubject, Message>> = {
  events: texts.subjectEvents,
  forms: texts.subjectForms,
  vouchers: texts.subjectVouchers,
  attendees: texts.subjectAttendees,
  'check-ins': texts.subjectCheckins,
  money: texts.subjectMoney,
  team: texts.subjectTeam,
  club: texts.subjectClub,
}

interface Choice {
  value: string
  label: string
}

/** What is chosen stays in the list of choices, also when it is not among those that were read. */
function withChosen(choices: Choice[], chosen: string, label: string): Choice[] {
  return chosen === '' || choices.some(({ value }) => value === chosen)
    ? choices
    : [...choices, { value: chosen, label }]
}

interface Props {
  clubId: number
  current: HistorySearch
  onChange: ReturnType<typeof useHistorySearch>['change']
}

/** Filters of the history by person, event and subject. */
export function HistoryFilters({ clubId, current, onChange }: Props) {
  const { data: people = [] } = useQuery(query(historyApi.getPeople, { clubId }))
  const { data: events = [] } = useQuery(query(eventApi.getAllEvents, { clubId }))
  const by = current.by ?? ''
  const event = String(current.event ?? '')
  return (
    <search className={styles.filters} aria-label={texts.filters()}>
      <NativeSelect
        label={texts.person()}
        value={by}
        onChange={({ target }) => onChange({ by: target.value })}
        data={withChosen(
          [
            { value: '', label: texts.everybody() },
            ...people.map(({ id, name, hasLeft }) => ({
              value: String(id),
              label: hasLeft ? texts.hasLeft({ name }) : name,
            })),
            { value: 'operator', label: texts.operator() },
          ],
          by,
          texts.chosenPerson(),
        )}
      />
      <NativeSelect
        label={texts.event()}
        value={event}
        onChange={({ target }) => onChange({ event: target.value })}
        data={withChosen(
          [
            { value: '', label: texts.allEvents() },
            ...events.map(({ id, name, startsAt, timeZone }) => ({
              value: String(id),
              label: texts.eventOn({ name, date: formatDate(startsAt, timeZone) }),
            })),
          ],
          event,
          texts.chosenEvent(),
        )}
      />
      <NativeSelect
        label={texts.subject()}
        value={current.subject ?? ''}
        onChange={({ target }) => onChange({ subject: target.value })}
        data={[
          { value: '', label: texts.everything() },
          ...historySubjects.map((value) => ({ value, label: subjects[value]() })),
        ]}
      />
    </search>
  )
}
