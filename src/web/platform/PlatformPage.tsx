import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Payload } from '../../contract/endpoint.ts'
import { platformApi } from '../../contract/platform.ts'
import * as texts from '../../texts/generated/platform.ts'
import { formatNumber } from '../../texts/numbers.ts'
import { query } from '../api/query.ts'
import { CheckList } from './CheckList.tsx'
import { formatBytes } from './format-bytes.ts'
import { Jobs } from './Jobs.tsx'
import { momentHere } from './moment-here.ts'
import styles from './PlatformPage.module.css'

type Status = Payload<typeof platformApi.getStatus>

/** How the platform is, for the operator: what is set up, the figures of server and database, and the work in the background. */
export function PlatformPage() {
  const { data: status } = useSuspenseQuery({ ...query(platformApi.getStatus, {}), refetchInterval: 10_000 })
  const { data: health } = useSuspenseQuery({ ...query(platformApi.getHealth, {}), refetchInterval: 30_000 })
  return (
    <div className={`page ${styles.page}`}>
      <h1>{texts.title()}</h1>
      <CheckList status={status} health={health} />
      <Jobs jobs={status.jobs} />
      <Figures status={status} health={health} />
      <SlowStatements slow={status.database.slow} />
    </div>
  )
}

function Figures({
  status: { server, database, disk, mail, stripe },
  health,
}: {
  status: Status
  health: Payload<typeof platformApi.getHealth>
}) {
  return (
    <section className="card" aria-labelledby="figures">
      <h2 id="figures">{texts.figures()}</h2>
      <dl className={styles.figures}>
        <Figure name={texts.version()}>{texts.versionOn({ version: server.version, node: server.node })}</Figure>
        <Figure name={texts.runningSince()}>{momentHere(server.startedAt)}</Figure>
        <Figure name={server.workers === 1 ? texts.memory() : texts.memoryOfOne()}>{formatBytes(server.memory)}</Figure>
        {server.workers > 1 && <Figure name={texts.workers()}>{formatNumber(server.workers)}</Figure>}
        <Figure name={texts.database()}>
          {texts.databaseIs({ version: database.version, size: formatBytes(database.size) })}
        </Figure>
        <Figure name={texts.connections()}>
          {texts.countOf({
            count: formatNumber(database.connections),
            most: formatNumber(database.mostConnections),
          })}
        </Figure>
        {disk && (
          <Figure name={texts.disk()}>
            {texts.freeOf({ free: formatBytes(disk.free), total: formatBytes(disk.total) })}
          </Figure>
        )}
        <Figure name={texts.mailQueue()}>
          {texts.mailCounts({ queued: health.mail.queued, failed: health.mail.failed })}
        </Figure>
        {mail.lastFailure && (
          <Figure name={texts.lastFailedMail()}>
            {momentHere(mail.lastFailure.at)}
            {mail.lastFailure.reason !== '' && <code className={styles.reason}>{mail.lastFailure.reason}</code>}
          </Figure>
        )}
        <Figure name={texts.cardPayment()}>
          {stripe === null
            ? texts.notSetUp()
            : [
                stripe.isLive ? texts.stripeLive() : texts.stripeTest(),
                stripe.lastHeardAt
                  ? texts.stripeHeard({ moment: momentHere(stripe.lastHeardAt) })
                  : texts.stripeSilent(),
                ...(stripe.waiting > 0 ? [texts.stripeWaiting({ count: stripe.waiting })] : []),
              ].map((line) => (
                <span className={styles.line} key={line}>
                  {line}
                </span>
              ))}
        </Figure>
      </dl>
    </section>
  )
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function SlowStatements({ slow }: { slow: Status['database']['slow'] }) {
  if (slow.length === 0) return null
  return (
    <section className="card" aria-labelledby="slow">
      <h2 id="slow">{texts.slow()}</h2>
      <ul className={styles.list}>
        {slow.map(({ pid, seconds, text }) => (
          <li key={pid}>
            <p>{texts.seconds({ count: seconds })}</p>
            <code className={styles.reason}>{text}</code>
          </li>
        ))}
      </ul>
    </section>
  )
}
