import { Button, Group, Menu, TextInput } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { clubApi } from '../../contract/clubs.ts'
import type { Payload } from '../../contract/endpoint.ts'
import { pageTitles, pageTypes } from '../../contract/pages.ts'
import { platformApi } from '../../contract/platform.ts'
import { formatDate, formatTime } from '../../contract/values/dates.ts'
import { foldText } from '../../contract/values/fold-text.ts'
import { query, useCall } from '../api/query.ts'
import { ClubMark } from '../clubs/ClubMark.tsx'
import { paths } from '../paths.ts'
import { RemovalDialog } from '../ui/dialogs/RemovalDialog.tsx'
import { MoreButton } from '../ui/menus/MoreButton.tsx'
import { plural } from '../ui/plural.ts'
import styles from './SudoDashboardPage.module.css'

type ListedClub = Payload<typeof clubApi.getAllClubs>[number]

/** The operator's clubs. */
export function SudoDashboardPage() {
  const { data: clubs } = useSuspenseQuery(query(clubApi.getAllClubs, {}))
  const [keyword, setKeyword] = useState('')
  const words = foldText(keyword).split(/\s+/)
  const found = clubs.filter(({ name, location, email }) =>
    words.every((word) => foldText(`${name} ${location} ${email}`).includes(word)),
  )
  return (
    <div className="page">
      <div className="row spread">
        <h1>Clubs</h1>
        <Button component={Link} to={paths.addClub} size="md">
          Add a club
        </Button>
      </div>
      <MailPaused />
      {clubs.length === 0 ? (
        <p>There is no club yet. Add the first one, then its first admin.</p>
      ) : (
        <div className={`row spread ${styles.search}`}>
          <TextInput
            aria-label="Search clubs"
            placeholder="Search by name, place or e-mail"
            type="search"
            value={keyword}
            onChange={({ target }) => setKeyword(target.value)}
            w={{ base: '100%', sm: 320 }}
          />
          <p className="muted" role="status">
            {plural(found.length, 'club', 'clubs')}
          </p>
        </div>
      )}
      <ul className="cards">
        {found.map((club) => (
          <li key={club.id}>
            <ClubCard club={club} />
          </li>
        ))}
      </ul>
      <h2>Static pages</h2>
      <Group>
        {pageTypes.map((type) => (
          <Button key={type} component={Link} to={paths.editPage(type)} variant="light">
            {pageTitles[type]()}
          </Button>
        ))}
      </Group>
    </div>
  )
}

/** A warning that no mail is being sent, and why. */
function MailPaused() {
  const { data } = useSuspenseQuery({ ...query(platformApi.getHealth, {}), refetchInterval: 30_000 })
  const { paused, queued } = data.mail
  if (!paused) return null
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return (
    <section className={`card ${styles.outage}`} aria-label="Mail">
      <p role="alert">
        <strong>Mail is not going out.</strong> Nothing is lost: {plural(queued, 'mail waits', 'mails wait')}.
      </p>
      <p>
        No mail has gone out since {formatDate(paused.since, timeZone)} at {formatTime(paused.since, timeZone)}. The
        next try is at {formatTime(paused.tryAgainAt, timeZone)}; once it works, everything goes out by itself.
      </p>
      <p className="muted small">
        What the mail server said: <code>{paused.reason}</code>
      </p>
    </section>
  )
}

function ClubCard({ club }: { club: ListedClub }) {
  const remove = useCall(clubApi.removeClub)
  const [isAsked, setAsked] = useState(false)
  const { eventCount, adminCount, registrationCount, nextEvent, recentCount, failedMailCount, needCount } = club
  return (
    <article className={`card ${styles.club}`}>
      <div className={styles.name}>
        <ClubMark club={club} size="medium" />
        <h2>{club.name}</h2>
      </div>
      <p className="muted">
        {club.location}
        <span className={styles.counts}>
          {plural(eventCount, 'event', 'events')}, {plural(registrationCount, 'registration', 'registrations')},{' '}
          {adminCount === 0 ? <strong>nobody can sign in yet</strong> : plural(adminCount, 'admin', 'admins')}
        </span>
        Since {formatDate(club.createdAt, club.timeZone)}
      </p>
      <dl className={styles.health}>
        <div>
          <dt>Next event</dt>
          <dd>
            {nextEvent ? (
              <>
                {nextEvent.name}
                <span className={styles.date}>{formatDate(nextEvent.startsAt, club.timeZone)}</span>
              </>
            ) : (
              'None is planned'
            )}
          </dd>
        </div>
        <div>
          <dt>Last 30 days</dt>
          <dd>{plural(recentCount, 'registration', 'registrations')}</dd>
        </div>
      </dl>
      {needCount > 0 && (
        <p className={`row ${styles.needs}`}>
          <span className="badge warm">{plural(needCount, 'thing', 'things')} to do</span>
          {failedMailCount > 0 && <span className="badge bad">{plural(failedMailCount, 'mail', 'mails')} failed</span>}
        </p>
      )}
      <div className="row">
        <Button component={Link} to={paths.credential(club.id)} variant="light">
          Admins
        </Button>
        <Button component={Link} to={paths.editClub(club.id)} variant="subtle">
          Edit
        </Button>
        <Menu position="bottom-end" portalProps={{ target: 'main' }}>
          <Menu.Target>
            <MoreButton of={club.name} />
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item component="a" href={paths.club(club.id)}>
              Club page
            </Menu.Item>
            <Menu.Item color="var(--bad)" onClick={() => setAsked(true)}>
              Remove the club
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
      <RemovalDialog
        title={`Remove ${club.name}?`}
        name={club.name}
        action="Remove the club"
        isOpen={isAsked}
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate({ clubId: club.id }, { onSettled: () => setAsked(false) })}
        onClose={() => setAsked(false)}
      >
        <p>
          With it go {plural(eventCount, 'event', 'events')},{' '}
          {plural(registrationCount, 'registration', 'registrations')} with their tickets, and{' '}
          {plural(adminCount, 'admin', 'admins')}. It cannot be undone, and nobody is told by mail.
        </p>
      </RemovalDialog>
    </article>
  )
}
