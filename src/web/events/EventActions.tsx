import type { MouseEvent } from 'react'
import type { Club } from '../../contract/club.ts'
import { calendarFileUrl, type Event } from '../../contract/event.ts'
import type { EventState } from '../../contract/event-state.ts'
import * as texts from '../../texts/generated/event.ts'
import * as paths from '../paths.ts'
import { baseUrl } from '../site.ts'
import { contactLink } from '../ui/contact-link.ts'
import { copyText } from '../ui/copy-text.ts'
import styles from './EventActions.module.css'

/** What a visitor can do with a public event besides registering. All of it works without JavaScript too. */
export function EventActions({ event, club, state }: { event: Event; club: Club; state: EventState }) {
  const url = baseUrl() + paths.event(event)
  const share = (click: MouseEvent) => {
    click.preventDefault()
    // The device's own share sheet; browsers without one copy the address.
    const device: Partial<Pick<Navigator, 'share'>> = navigator
    if (device.share) navigator.share({ title: event.name, url }).catch(() => {})
    else void copyText(url)
  }
  return (
    <p className={styles.actions}>
      {state !== 'over' && state !== 'cancelled' && (
        <a href={calendarFileUrl(event)}>
          <span className="icon calendar-plus" aria-hidden="true" />
          {texts.addToCalendar()}
        </a>
      )}
      <a href={contactLink('', `${event.name}: ${url}`)} onClick={share} rel="noopener noreferrer">
        <span className="icon share" aria-hidden="true" />
        {texts.share()}
      </a>
      <WriteToClub event={event} club={club} />
    </p>
  )
}

interface WriteProps {
  event: Event
  club: Club
  className?: string
}

/** A link for writing to the club; nothing when it has told neither phone nor e-mail. */
export function WriteToClub({ event, club: { name, phone, email }, className }: WriteProps) {
  const href =
    email === ''
      ? contactLink(phone, `${texts.helloAbout({ club: name, event: event.name })} `)
      : `mailto:${email}?subject=${encodeURIComponent(event.name)}`
  if (email + phone === '') return null
  return (
    <a href={href} className={className} rel="noopener noreferrer">
      <span className="icon mail" aria-hidden="true" />
      {texts.writeToClub()}
    </a>
  )
}
