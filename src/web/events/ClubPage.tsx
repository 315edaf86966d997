import type { Club } from '../../contract/club.ts'
import type { Event } from '../../contract/event.ts'
import { type EventState, eventState } from '../../contract/event-state.ts'
import { coverUrl } from '../../contract/values/covers.ts'
import { formatDate, formatMonth } from '../../contract/values/dates.ts'
import { imageUrl } from '../../contract/values/images.ts'
import { formatPrices } from '../../contract/values/money.ts'
import * as texts from '../../texts/generated/club.ts'
import { ClubMark } from '../clubs/ClubMark.tsx'
import * as paths from '../paths.ts'
import { languageOfDescription } from '../rendering/own-words.ts'
import { baseUrl } from '../site.ts'
import { contactLink } from '../ui/contact-link.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { useNow } from '../ui/use-now.ts'
import styles from './ClubPage.module.css'
import { DateTile } from './DateTile.tsx'
import chips from './EventActions.module.css'
import { EventCover } from './EventCover.tsx'
import { When } from './EventFacts.tsx'
import { StateBadge } from './StateBadge.tsx'

/** A club's page: its description, its upcoming events by month, and those of the last months. */
export function ClubPage({ club, events }: { club: Club; events: readonly Event[] }) {
  const now = useNow()
  const upcoming = events.filter(({ endsAt }) => endsAt > now)
  const past = events.filter(({ endsAt }) => endsAt <= now).reverse()
  const months = [...new Set(upcoming.map((event) => formatMonth(event.startsAt, event.timeZone)))]
  return (
    <div className={`page ${styles.page}`}>
      <PageTitle title={club.name} />
      <ClubCover club={club} />
      <header className={styles.head}>
        <ClubMark club={club} size="large" />
        <div>
          <h1>{club.name}</h1>
          {club.location && (
            <p className="muted">
              <span className="icon map-pin" aria-hidden="true" />
              {club.location}
            </p>
          )}
        </div>
      </header>
      {club.description && (
        <p className={`lines ${styles.description}`} lang={languageOfDescription(club)}>
          {club.description}
        </p>
      )}
      <Contact club={club} />
      {upcoming.length === 0 && <p className={styles.none}>{texts.nonePlanned()}</p>}
      {months.map((month) => (
        <section key={month} aria-label={month}>
          <h2 className={styles.month}>{month}</h2>
          <ul className={`cards ${styles.list}`}>
            {upcoming
              .filter((event) => formatMonth(event.startsAt, event.timeZone) === month)
              .map((event) => (
                <li key={event.id}>
                  <EventCard event={event} club={club} now={now} />
                </li>
              ))}
          </ul>
        </section>
      ))}
      {past.length > 0 && (
        <section aria-labelledby="past">
          <h2 className={styles.month} id="past">
            {texts.pastEvents()}
          </h2>
          <ul className={styles.past}>
            {past.map((event) => (
              <li key={event.id}>
                <a href={paths.event(event)}>
                  <DateTile date={event.startsAt} timeZone={event.timeZone} />
                  <span>
                    <strong>{event.name}</strong>
                    <br />
                    <time className="muted small" dateTime={event.startsAt.toISOString()}>
                      {formatDate(event.startsAt, event.timeZone)}
                    </time>
                  </span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

/** The picture at the top: the club's own, or one drawn from its name. */
function ClubCover({ club: { name, cover, colour } }: { club: Club }) {
  const order = { fetchPriority: 'high' } as const
  if (cover === '') return <img className={styles.top} src={coverUrl(name, colour)} alt="" {...order} />
  const [small, large] = [imageUrl('event-banner', cover, 800), imageUrl('event-banner', cover)]
  return <img className={styles.top} src={large} srcSet={`${small} 800w, ${large} 1600w`} alt="" {...order} />
}

/** The ways to reach the club. Its e-mail address is only on the pages of its events, where people have a question. */
function Contact({ club: { id, name, phone, website } }: { club: Club }) {
  return (
    <p className={`${chips.actions} ${styles.contact}`}>
      {phone && (
        <a href={contactLink(phone, `${texts.hello({ club: name })} `)} target="_blank" rel="noopener noreferrer">
          <span className="icon mail" aria-hidden="true" />
          {texts.writeToClub()}
        </a>
      )}
      {website && (
        <a href={website} rel="noopener nofollow">
          <span className="icon world" aria-hidden="true" />
          {website.replace(/^https?:\/\/|\/$/g, '')}
        </a>
      )}
      <a href={baseUrl().replace(/^https?/, 'webcal') + paths.calendarFeed(id)}>
        <span className="icon calendar-plus" aria-hidden="true" />
        {texts.addAll()}
      </a>
    </p>
  )
}

/** The price of a cancelled event is of no use to anybody. */
const hasPrice = (state: EventState) => state !== 'cancelled'

function EventCard({ event, club, now }: { event: Event; club: Club; now: Date }) {
  return (
    <a className={`card ${styles.event}`} href={paths.event(event)}>
      <EventCover event={event} colour={club.colour} className={styles.cover} sizes="(min-width: 600px) 14rem, 6rem" />
      <div>
        <DateTile date={event.startsAt} timeZone={event.timeZone} />
        <div className={styles.facts}>
          <h3>{event.name}</h3>
          <p className="small">
            <When event={event} />
          </p>
          {/* Most events are at the club, which is above. */}
          {event.location && event.location !== club.location && <p className="muted small">{event.location}</p>}
        </div>
        <div className={styles.state}>
          <StateBadge event={event} now={now} />
          {hasPrice(eventState(event, now)) && <strong>{formatPrices(event)}</strong>}
        </div>
      </div>
    </a>
  )
}
