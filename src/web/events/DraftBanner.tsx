import * as z from 'zod/mini'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { Event } from '../../contract/event.ts'
import type { eventApi } from '../../contract/events.ts'
import { id } from '../../contract/values/fields.ts'
import * as texts from '../../texts/generated/draftBanner.ts'
import { useSend } from '../api/use-send.ts'
import * as paths from '../paths.ts'
import { useMay } from '../session/may.ts'
import styles from './DraftBanner.module.css'
import { LIVE } from './home/just-published.ts'

/** Only what publishing needs of the call: all of its fields would come with every visitor's page. */
const publishing = {
  method: 'POST',
  path: '/api/event/save' satisfies typeof eventApi.save.path,
  access: { who: 'admin', event: 'id', needs: 'events' },
  summary: 'Publish an event.',
  input: z.object({ id, status: z.literal('published') }),
  payload: z.object({ id }),
} satisfies Endpoint

/** Above the preview of a draft: who sees it, and how it goes on. */
export function DraftBanner({ event }: { event: Event }) {
  const save = useSend(publishing)
  const may = useMay()
  const publish = async () => {
    if (save.isPending || save.isSuccess) return
    await save.send({ id: event.id, status: 'published' })
    window.location.assign(paths.eventHome(event.id) + LIVE)
  }
  return (
    <div className={`hint ${styles.draft}`} role="status">
      <p>
        <strong>{texts.draft()}</strong> {texts.onlyYourClub()}
      </p>
      {may('events') && (
        <div className={styles.actions}>
          <a className="button small quiet" href={paths.editEvent(event.id)}>
            {texts.edit()}
          </a>
          <button
            type="button"
            className="button small"
            aria-disabled={save.isPending}
            // A refusal has been shown by the call itself.
            onClick={() => void publish().catch(() => {})}
          >
            {texts.publish()}
          </button>
        </div>
      )}
    </div>
  )
}
