import { IconDots } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { Link, useLocation } from 'react-router'
import { eventApi } from '../../../contract/events.ts'
import * as texts from '../../../texts/generated/overview.ts'
import { query } from '../../api/query.ts'
import { targetOf } from '../../routing/target.ts'
import { useMay } from '../../session/may.ts'
import { useClosing } from '../../ui/dialogs/use-closing.ts'
import styles from './EventNav.module.css'
import { sections } from './sections.ts'

/** The sections of an event: beside the page from lg up, a bar at the bottom below; on phones the rare ones are behind “More”. */
export function EventNav({ eventId }: { eventId: number }) {
  const { data: event } = useQuery(query(eventApi.getEvent, { eventId }))
  const more = useRef<HTMLDetailsElement>(null)
  useClosing(more)
  const may = useMay()
  const open = targetOf(useLocation().pathname)
  const isOpen = (path: (eventId: number) => string) => targetOf(path(eventId)) === open
  const links = (isRare: boolean) =>
    sections
      .filter((section) => may(section.needs) && (section.isRare || !isRare))
      .map(({ name, path, within, Icon, isRare: isOne }) => (
        <Link
          key={path(eventId)}
          to={path(eventId)}
          className={isOne && !isRare ? styles.rare : undefined}
          aria-current={isOpen(path) ? 'page' : within?.some(isOpen) ? 'true' : undefined}
          onClick={() => more.current?.removeAttribute('open')}
        >
          <Icon size={22} stroke={1.75} aria-hidden />
          <span>{name()}</span>
        </Link>
      ))
  // One alone leads nowhere else.
  if (links(false).length < 2) return null
  return (
    <nav className={styles.event} data-nav="event" aria-label={texts.event()}>
      <p className={styles.name} title={event?.name}>
        {event?.name}
      </p>
      {links(false)}
      {links(true).length > 0 && (
        <details ref={more} className={styles.more}>
          <summary>
            <IconDots size={22} stroke={1.75} aria-hidden />
            <span>{texts.more()}</span>
          </summary>
          <div>{links(true)}</div>
        </details>
      )}
    </nav>
  )
}
