import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconFilter } from '@tabler/icons-react'
import { useId, useState } from 'react'
import type { TicketType } from '../../contract/ticket-type.ts'
import * as texts from '../../texts/generated/attendees.ts'
import styles from './AttendeeFilters.module.css'
import type { AttendeeSearch, useAttendeeSearch } from './attendee-filters.ts'

interface Props {
  current: AttendeeSearch
  onChange: ReturnType<typeof useAttendeeSearch>['change']
  /** Whether there are vouchers to filter by. */
  hasVouchers: boolean
  /** Those of the event, also those off sale. */
  ticketTypes: readonly TicketType[]
}

const redemptions = [
  { label: texts.any, value: '' },
  { label: texts.notRedeemed, value: 'false' },
  { label: texts.redeemed, value: 'true' },
]

/** Search and filters of the attendee list. On a phone only the search is open. */
export function AttendeeFilters({ current, onChange, hasVouchers, ticketTypes }: Props) {
  const active = [current.redeemed, current.type].filter((each) => each !== undefined).length
  const hasTypes = ticketTypes.length > 1
  const [isOpen, setOpen] = useState(false)
  const rest = useId()
  return (
    <search className={styles.filters}>
      <SearchField current={current.q} onChange={(q) => onChange({ q })} />
      {(hasVouchers || hasTypes) && (
        <>
          <Button
            className={styles.opener}
            variant={isOpen ? 'light' : 'default'}
            aria-expanded={isOpen}
            aria-controls={rest}
            leftSection={<IconFilter size={18} aria-hidden />}
            onClick={() => setOpen(!isOpen)}
          >
            {active === 0 ? texts.filters() : texts.filtersOn({ count: active })}
          </Button>
          <div id={rest} className={isOpen ? styles.rest : `${styles.rest} ${styles.closed}`}>
            {hasTypes && (
              <NativeSelect
                label={texts.columnTicket()}
                data={[
                  { label: texts.any(), value: '' },
                  ...ticketTypes.map(({ id, name }) => ({ label: name, value: String(id) })),
                ]}
                value={current.type === undefined ? '' : String(current.type)}
                onChange={({ target }) => onChange({ type: target.value })}
              />
            )}
            {hasVouchers && (
              <NativeSelect
                label={texts.vouchers()}
                data={redemptions.map(({ label, value }) => ({ label: label(), value }))}
                value={current.redeemed ?? ''}
                onChange={({ target }) => onChange({ redeemed: target.value })}
              />
            )}
          </div>
        </>
      )}
    </search>
  )
}

function SearchField({ current, onChange }: { current: string; onChange: (q: string) => void }) {
  const [typed, setTyped] = useState(current)
  const [sent, setSent] = useState(current)
  const [seen, setSeen] = useState(current)
  const look = useDebouncedCallback((q: string) => {
    setSent(q)
    onChange(q)
  }, 250)
  // When the address changes in another way, for example by going back, the field follows.
  if (seen !== current) {
    setSeen(current)
    if (current !== sent) {
      setSent(current)
      setTyped(current)
    }
  }
  return (
    <TextInput
      label={texts.search()}
      placeholder={texts.searchHint()}
      type="search"
      value={typed}
      onChange={({ target }) => {
        setTyped(target.value)
        look(target.value)
      }}
    />
  )
}
