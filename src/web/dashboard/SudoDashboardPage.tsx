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
import * as texts from '../../texts/generated/operator.ts'
import { query, useCall } from '../api/query.ts'
import { ClubMark } from '../clubs/ClubMark.tsx'
import * as paths from '../paths.ts'
import { RemovalDialog } from '../ui/dialogs/RemovalDialog.tsx'
import { MoreButton } from '../ui/menus/MoreButton.tsx'
import { Parts } from '../ui/Parts.tsx'
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
        <h1>{texts.clubs()}</h1>
        <Group gap="sm">
          <Button component={Link} to={paths.platform} size="md" variant="light">
            {texts.platform()}
          </Button>
          <Button component={Link} to={paths.addClub} size="md">
            {texts.addAClub()}
          </Button>
        </Group>
      </div>
      <MailPaused />
      <BackupLate />
      {clubs.length === 0 ? (
        <p>{texts.noClubs()}</p>
      ) : (
        <div className={`row spread ${styles.search}`}>
          <TextInput
            aria-label={texts.searchClubs()}
            placeholder={texts.searchHint()}
            type="search"
            value={keyword}
            onChange={({ target }) => setKeyword(target.value)}
            w={{ base: '100%', sm: 320 }}
          />
          <p className="muted" role="status">
            {texts.clubCount({ count: found.length })}
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
      <h2>{texts.staticPages()}</h2>
      <Group>
        {pageTypes.map((type) => (
          <Button key={type} component={Link} to={paths.editPage(type)} variant="light">
            {pageTitles[type]()}
          </Button>
        ))}
      </Group>
      <LastBackup />
    </div>
  )
}

const useHealth = () => useSuspenseQuery({ ...query(platformApi.getHealth, {}), refetchInterval: 30_000 }).data

/** A moment as the operator's own clock shows it. */
function localTime(at: Date): { date: string; time: string } {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return { date: formatDate(at, timeZone), time: formatTime(at, timeZone) }
}

/** A warning that the last good backup is too old, and why. */
function BackupLate() {
  const { isLate, lastGoodAt, error } = useHealth().backup
  if (!isLate) return null
  const code = (text: string) => <code className={styles.command}>{text}</code>
  return (
    <section className={`card ${styles.outage}`} aria-label={texts.backup()}>
      <p role="alert">
        <strong>{texts.backupLate()}</strong>{' '}
        {lastGoodAt ? texts.backupLateSince(localTime(lastGoodAt)) : texts.backupNever()}
      </p>
      <p>
        <Parts of={texts.backupByHand({ code })} />
      </p>
      {error !== null && <BackupReason reason={error} />}
    </section>
  )
}

/** When the server last backed itself up, and how that was checked. */
function LastBackup() {
  const { isOn, isLate, lastGoodAt, checked, error } = useHealth().backup
  // The warning says it all.
  if (isLate) return null
  const said = checked === 'restored' ? texts.backupRestored : texts.backupRead
  return (
    <section className={styles.backup}>
      <h2>{texts.backup()}</h2>
      <p className="muted">
        {isOn ? (lastGoodAt ? said(localTime(lastGoodAt)) : texts.backupFirst()) : texts.backupsOff()}
      </p>
      {error !== null && <BackupReason reason={error} />}
    </section>
  )
}

function BackupReason({ reason }: { reason: string }) {
  return (
    <p className={`muted small ${styles.reason}`}>
      <Parts of={texts.backupReason({ reason, code: (text) => <code>{text}</code> })} />
    </p>
  )
}

/** A warning that no mail is being sent, and why. */
function MailPaused() {
  const { paused, queued } = useHealth().mail
  if (!paused) return null
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return (
    <section className={`card ${styles.outage}`} aria-label={texts.mail()}>
      <p role="alert">
        <strong>{texts.mailPaused()}</strong> {texts.mailWaits({ count: queued })}
      </p>
      <p>
        {texts.mailSince({
          date: formatDate(paused.since, timeZone),
          time: formatTime(paused.since, timeZone),
          next: formatTime(paused.tryAgainAt, timeZone),
        })}
      </p>
      <p className="muted small">
        <Parts of={texts.mailReason({ reason: paused.reason, code: (text) => <code>{text}</code> })} />
      </p>
    </section>
  )
}

function ClubCard({ club }: { club: ListedClub }) {
  const remove = useCall(clubApi.removeClub)
  const [isAsked, setAsked] = useState(false)
  const { eventCount, adminCount, registrationCount, nextEvent, recentCount, failedMailCount, needCount } = club
  const counts = { events: eventCount, registrations: registrationCount, admins: adminCount }
  return (
    <article className={`card ${styles.club}`}>
      <div className={styles.name}>
        <ClubMark club={club} size="medium" />
        <h2>{club.name}</h2>
      </div>
      <p className="muted">
        {club.location}
        <span className={styles.counts}>
          <Parts of={texts.counts({ ...counts, strong: (text) => <strong>{text}</strong> })} />
        </span>
        {texts.since({ date: formatDate(club.createdAt, club.timeZone) })}
      </p>
      <dl className={styles.health}>
        <div>
          <dt>{texts.nextEvent()}</dt>
          <dd>
            {nextEvent ? (
              <>
                {nextEvent.name}
                <time className={styles.date} dateTime={nextEvent.startsAt.toISOString()}>
                  {formatDate(nextEvent.startsAt, club.timeZone)}
                </time>
              </>
            ) : (
              texts.noneIsPlanned()
            )}
          </dd>
        </div>
        <div>
          <dt>{texts.last30Days()}</dt>
          <dd>{texts.registrations({ count: recentCount })}</dd>
        </div>
      </dl>
      {needCount > 0 && (
        <p className={`row ${styles.needs}`}>
          <span className="badge warm">{texts.toDo({ count: needCount })}</span>
          {failedMailCount > 0 && <span className="badge bad">{texts.mailsFailed({ count: failedMailCount })}</span>}
        </p>
      )}
      <div className="row">
        <Button component={Link} to={paths.credential(club.id)} variant="light">
          {texts.admins()}
        </Button>
        <Button component={Link} to={paths.editClub(club.id)} variant="subtle">
          {texts.edit()}
        </Button>
        <Menu position="bottom-end" portalProps={{ target: 'main' }}>
          <Menu.Target>
            <MoreButton of={club.name} />
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item component="a" href={paths.club(club.id)}>
              {texts.clubPage()}
            </Menu.Item>
            <Menu.Item color="var(--bad)" onClick={() => setAsked(true)}>
              {texts.removeTheClub()}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
      <RemovalDialog
        title={texts.removeOne({ name: club.name })}
        name={club.name}
        action={texts.removeTheClub()}
        isOpen={isAsked}
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate({ clubId: club.id }, { onSettled: () => setAsked(false) })}
        onClose={() => setAsked(false)}
      >
        <p>{texts.removal(counts)}</p>
      </RemovalDialog>
    </article>
  )
}
