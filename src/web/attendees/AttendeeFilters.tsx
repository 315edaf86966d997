import { NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import type { AttendeeSearch, useAttendeeSearch } from './attendee-filters.ts'
import styles from './attendees.module.css'

interface Props {
  current: AttendeeSearch
  onChange: ReturnType<typeof useAttendeeSearch>['change']
}

const statuses = [
  { label: 'Any status', value: '' },
  { label: 'Confirmed', value: 'confirmed' },
  { label: 'Not paid yet', value: 'pending' },
  { label: 'Cancelled', value: 'cancelled' },
]
const checkins = [
  { label: 'In or not', value: '' },
  { label: 'Pending', value: 'false' },
  { label: 'Checked-in', value: 'true' },
]
const redemptions = [
  { label: 'Any', value: '' },
  { label: 'Not Redeemed', value: 'false' },
  { label: 'Redeemed', value: 'true' },
]
const sorts = [
  { label: 'Latest registration first', value: 'registration' },
  { label: 'Latest check-in first', value: 'checkin' },
  { label: 'By name', value: 'name' },
]

/** Search, filters and order of the attendee list. */
export function AttendeeFilters({ current, onChange }: Props) {
  const [typed, setTyped] = useState(current.q)
  const [sent, setSent] = useState(current.q)
  const [seen, setSeen] = useState(current.q)
  const look = useDebouncedCallback((q: string) => {
    setSent(q)
    onChange({ q })
  }, 250)
  // When the address changes in another way, for example by going back, the field follows.
  if (seen !== current.q) {
    setSeen(current.q)
    if (current.q !== sent) {
      setSent(current.q)
      setTyped(current.q)
    }
  }
  return (
    <search className={styles.filters}>
      <TextInput
        label="Search"
        placeholder="Name, e-mail, phone or id"
        type="search"
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value)
          look(target.value)
        }}
      />
      <NativeSelect
        label="Status"
        data={statuses}
        value={current.status ?? ''}
        onChange={({ target }) => onChange({ status: target.value })}
      />
      <NativeSelect
        label="Check-in"
        data={checkins}
        value={current.checkin ?? ''}
        onChange={({ target }) => onChange({ checkin: target.value })}
      />
      <NativeSelect
        label="Vouchers"
        data={redemptions}
        value={current.redeemed ?? ''}
        onChange={({ target }) => onChange({ redeemed: target.value })}
      />
      <NativeSelect
        label="Order"
        data={sorts}
        value={current.sort}
        onChange={({ target }) => onChange({ sort: target.value })}
      />
    </search>
  )
}
