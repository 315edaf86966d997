import { Button } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { authApi, type OwnSession } from '../../contract/auth.ts'
import { formatDate } from '../../contract/values/dates.ts'
import * as texts from '../../texts/generated/users.ts'
import { query, useCall } from '../api/query.ts'
import { formatAgo } from '../events/home/format-ago.ts'
import { useNow } from '../ui/use-now.ts'
import styles from './SessionsCard.module.css'

/** Where the user is signed in, with a way to sign out there. */
export function SessionsCard() {
  const { data: sessions } = useSuspenseQuery(query(authApi.getSessions, {}))
  const endOthers = useCall(authApi.endOtherSessions)
  return (
    <section className="card" aria-labelledby="sessions">
      <h2 id="sessions">{texts.whereSignedIn()}</h2>
      <p className="muted">{texts.whereSignedInText()}</p>
      <ul className={styles.sessions}>
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
      {sessions.length > 1 && (
        <Button
          variant="light"
          w={{ base: '100%', sm: 'fit-content' }}
          loading={endOthers.isPending}
          onClick={() => endOthers.mutate({})}
        >
          {texts.signOutElsewhere()}
        </Button>
      )}
    </section>
  )
}

function SessionRow({ session }: { session: OwnSession }) {
  const end = useCall(authApi.endSession)
  const now = useNow()
  const { id, browser, system, address, createdAt, lastUsedAt, isCurrent } = session
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const device = browser && system ? texts.deviceOn({ browser, system }) : browser || system || texts.unknownDevice()
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
              {texts.lastUsed({ ago: formatAgo(lastUsedAt, now, timeZone) })}
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
          onClick={() => end.mutate({ payload: { id } })}
        >
          {texts.signOutThere()}
        </Button>
      )}
    </li>
  )
}
