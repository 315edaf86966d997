import { Button } from '@mantine/core'
import type { Payload } from '../../contract/endpoint.ts'
import { MOST_COUNTED, platformApi } from '../../contract/platform.ts'
import * as texts from '../../texts/generated/platform.ts'
import { formatNumber } from '../../texts/numbers.ts'
import { useCall } from '../api/query.ts'
import { momentHere } from './moment-here.ts'
import styles from './PlatformPage.module.css'

type Job = Payload<typeof platformApi.getStatus>['jobs'][number]

/** The work on whole events and clubs that goes on in the background, with how much is left. */
export function Jobs({ jobs }: { jobs: readonly Job[] }) {
  const retry = useCall(platformApi.retryJob)
  return (
    <section className="card" aria-labelledby="jobs">
      <h2 id="jobs">{texts.jobs()}</h2>
      {jobs.length === 0 ? (
        <p className="muted">{texts.noJobs()}</p>
      ) : (
        <ul className={styles.list}>
          {jobs.map((job) => (
            <li key={job.id}>
              <p>
                <strong>{nameOf(job)}</strong>
                {job.eventName !== null && <span className={`muted ${styles.line}`}>{job.clubName}</span>}
              </p>
              <p>
                {job.left < MOST_COUNTED
                  ? texts.left({ count: job.left })
                  : texts.leftAtLeast({ count: formatNumber(MOST_COUNTED) })}{' '}
                <span className="muted">{texts.since({ moment: momentHere(job.startedAt) })}</span>
              </p>
              {job.failure && (
                <>
                  <p className="problem">
                    {texts.failing({ count: job.failure.attempts, moment: momentHere(job.failure.tryAgainAt) })}
                  </p>
                  {job.failure.reason !== '' && <code className={styles.reason}>{job.failure.reason}</code>}
                  <Button
                    variant="light"
                    size="sm"
                    mt="sm"
                    loading={retry.isPending && retry.variables.jobId === job.id}
                    onClick={() => retry.mutate({ jobId: job.id })}
                    aria-label={texts.tryNowOf({ name: nameOf(job) })}
                  >
                    {texts.tryNow()}
                  </Button>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function nameOf({ kind, eventName, clubName }: Job): string {
  const name = eventName ?? clubName
  switch (kind) {
    case 'remove club':
      return texts.removingClub({ name })
    case 'remove event':
      return texts.removingEvent({ name })
    case 'call off event':
      return texts.cancellingEvent({ name })
    case 'erase event':
      return texts.erasingEvent({ name })
  }
}
