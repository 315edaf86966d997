import type { Club } from '../../contract/clubs.ts'
import { type Event, seatsLeft } from '../../contract/events.ts'
import { formatSpan } from '../../contract/values/dates.ts'
import { imageUrl } from '../../contract/values/images.ts'
import { formatPrice } from '../../contract/values/money.ts'
import { paths } from '../paths.ts'
import { contactLink } from '../ui/contact-link.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import styles from './event-card.module.css'

/** A club's page: its description and its upcoming events. */
export function ClubPage({ club, events }: { club: Club; events: readonly Event[] }) {
  return (
    <div className="page">
      <PageTitle title={club.name} />
      <div className="row">
        <img className="logo large" src={imageUrl('club-logo', club.logo)} alt="" width="120" height="88" />
        <div>
          <h1>{club.name}</h1>
          {club.location && <p className="muted">{club.location}</p>}
        </div>
      </div>
      {club.description && <p className="lines">{club.description}</p>}
      <Contact club={club} />
      <h2>Upcoming events</h2>
      {events.length === 0 && <p>No events are planned right now. Please look in again soon.</p>}
      <ul className="cards">
        {events.map((event) => (
          <li key={event.id}>
            <EventCard event={event} />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The ways to reach the club. Its e-mail address is kept out of the page's text, where harvesters look for it. */
function Contact({ club: { name, phone, website } }: { club: Club }) {
  if (phone === '' && website === '') return null
  return (
    <p className="row">
      {phone && (
        <a href={contactLink(phone, `Hello ${name}, `)} target="_blank" rel="noopener noreferrer">
          Send us a message
        </a>
      )}
      {website && (
        <a href={website} rel="noopener nofollow">
          {website.replace(/^https?:\/\/|\/$/g, '')}
        </a>
      )}
    </p>
  )
}

function EventCard({ event }: { event: Event }) {
  const left = seatsLeft(event)
  return (
    <a className={`card ${styles.eventCard}`} href={paths.event(event)}>
      <img src={imageUrl('event-banner', event.banner, 800)} alt="" width="1600" height="900" loading="lazy" />
      <div>
        <h3>{event.name}</h3>
        <p className="muted small">{formatSpan(event.startsAt, event.endsAt, event.timeZone)}</p>
        <div className="row">
          <span className="badge">{formatPrice(event.ticketPrice, event.currency)}</span>
          {left === 0 && <span className="badge bad">Sold out</span>}
          {left !== null && left > 0 && left <= 10 && <span className="badge">Only {left} left</span>}
        </div>
      </div>
    </a>
  )
}
