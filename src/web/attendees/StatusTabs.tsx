import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import * as texts from '../../texts/generated/attendees.ts'
import { formatNumber } from '../../texts/numbers.ts'
import type { SearchChange } from './attendee-filters.ts'
import styles from './StatusTabs.module.css'
import type { StatusTab } from './status-tabs.ts'

/** The tabs above the list, each with its number. As links, so that one can be opened in another window. */
export function StatusTabs({ tabs, toAddress }: { tabs: StatusTab[]; toAddress: (change: SearchChange) => string }) {
  const row = useRef<HTMLDivElement>(null)
  const current = tabs.find(({ isCurrent }) => isCurrent)?.name
  // On a phone the row scrolls: the current tab is moved into it.
  useEffect(() => {
    const tab = row.current?.querySelector<HTMLElement>('[aria-current]')
    if (current !== undefined && row.current && tab)
      row.current.scrollLeft = tab.offsetLeft - (row.current.clientWidth - tab.offsetWidth) / 2
  }, [current])
  return (
    <nav className={styles.tabs} aria-label={texts.attendeesByStatus()}>
      <div className={styles.row} ref={row}>
        {tabs.map(({ name, filters, count, isCurrent }) => (
          <Link
            key={name}
            className={styles.tab}
            to={toAddress({ ...filters })}
            replace
            aria-current={isCurrent ? 'page' : undefined}
          >
            {name} {count !== null && <span className={styles.count}>{formatNumber(count)}</span>}
          </Link>
        ))}
      </div>
    </nav>
  )
}
