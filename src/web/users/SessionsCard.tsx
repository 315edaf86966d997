import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { authApi, type OwnSession } from '../../contract/auth.ts'
import { formatDate } from '../../contract/values/dates.ts'
import * as texts from '../../texts/generated/users.ts'
import { query, useCall } from '../api/query.ts'
import { formatAgo } from '../events/home/format-ago.ts'
import { LoadFailed } from '../layouts/LoadFailed.tsx'
import { Loading } from '../ui/Loading.tsx'
import { useNow } from '../ui/use-now.ts'
import { deviceName } from './device-name.ts'
import styles from './SessionsCard.module.css'

/** The last use is known to the hour: a later one may not be stored yet. */
const KNOWN_TO_MS = 2 * 60 * 60_000

/** Where the user is signed in, with a way to sign out there. */
export function SessionsCard() {
  const { data: sessions, error, refetch, isFetching } = useQuery(query(authApi.getSessions, {}))
  const endOthers = useCall(authApi.endOtherSessions)
  const heading = useRef<HTMLHeadingElement>(null)
  // The pressed button is gone.
  const toHeading = () => heading.current?.focus()
  return (
    <section className="card" aria-labelledby="sessions">
      <h2 id="sessions" ref={heading} tabIndex={-1}>
        {texts.whereSignedIn()}
      </h2>
      <p className="muted">{texts.whereSignedInText()}</p>
      {sessions ? (
        <ul className={styles.sessions}>
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} onEnd={toHeading} />
          ))}
        </ul>
      ) : error ? (
        <LoadFailed error={error} onRetry={() => void refetch()} isRetrying={isFetching} />
      ) : (
        <Loading />
      )}
      {sessions && sessions.length > 1 && (
        <Button
          variant="light"
          w={{ base: '100%', sm: 'fit-content' }}
          loading={endOthers.isPending}
          onClick={() => endOthers.mutate({}, { onSuccess: toHeading })}
        >
          {texts.signOutElsewhere()}
        </Button>
      )}
    </section>
  )
}

function SessionRow({ session, onEnd }: { session: OwnSession; onEnd: () => void }) {
  const end = useCall(authApi.endSession)
  const now = useNow()
  const { id, address, createdAt, lastUsedAt, isCurrent } = session
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const device = deviceName(session)
  const date = formatDate(createdAt, timeZone)
  return (
    <li>
      <div>
        <strong>{device}</strong> {isCurrent && <span className="badge calm">{texts.thisDevice()}</span>}
        <p className="muted small">
          {address === '' ? texts.signedInOn({ date }) : texts.signedInFrom({ date, address })}
          {!isCurrent && (
            <>
              <br />
              {now.getTime() - lastUsedAt.getTime() < KNOWN_TO_MS
                ? texts.usedLately()
                : texts.lastUsed({ ago: formatAgo(lastUsedAt, now, timeZone) })}
            </>
          )}
        </p>
      </div>
      {!isCurrent && (
        <Button
          variant="default"
          size="compact-md"
          aria-label={texts.signOutOf({ device })}
          loading={end.isPending}
          onClick={() => end.mutate({ payload: { id } }, { onSuccess: onEnd })}
        >
          {texts.signOutThere()}
        </Button>
      )}
    </li>
  )
}
