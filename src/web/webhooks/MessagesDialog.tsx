import { Button, Loader, Modal, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Delivery, type Webhook, webhookApi } from '../../contract/webhooks.ts'
import * as texts from '../../texts/generated/webhooks.ts'
import { query, useCall } from '../api/query.ts'
import { DialogButtons } from '../ui/buttons/DialogButtons.tsx'
import { useFocusReturn } from '../ui/dialogs/use-focus-return.ts'
import { useTopmost } from '../ui/dialogs/use-topmost.ts'
import { eventTexts } from './event-texts.ts'
import { momentText, nameOf } from './moment-text.ts'
import styles from './WebhooksPage.module.css'

/** How often the list is read again, in ms. */
const LIVE_MS = 3_000

interface Props {
  clubId: number
  webhook: Webhook
  onClose: () => void
}

/** The last messages to a webhook, with what became of them. */
export function MessagesDialog({ clubId, webhook, onClose }: Props) {
  const input = { clubId, webhookId: webhook.id }
  const { data } = useQuery({ ...query(webhookApi.getDeliveries, input), refetchInterval: LIVE_MS })
  const close = useTopmost(true, onClose)
  useFocusReturn()
  return (
    <Modal opened onClose={close} title={texts.messagesTo({ name: nameOf(webhook.url) })} size="lg">
      <Stack>
        <p className="muted">{texts.kept()}</p>
        {!data ? (
          <Loader />
        ) : data.length === 0 ? (
          <p>{texts.noMessages()}</p>
        ) : (
          <ul className={styles.list}>
            {data.map((delivery) => (
              <Message key={delivery.id} delivery={delivery} clubId={clubId} />
            ))}
          </ul>
        )}
        <DialogButtons>
          <Button variant="default" onClick={close}>
            {texts.close()}
          </Button>
        </DialogButtons>
      </Stack>
    </Modal>
  )
}

const statuses = {
  waiting: { text: texts.waiting, look: 'warm' },
  delivered: { text: texts.delivered, look: 'good' },
  failed: { text: texts.givenUp, look: 'bad' },
} as const

const failures = { address: texts.addressRefused, timeout: texts.timedOut, unreachable: texts.unreachable } as const

function Message({ delivery, clubId }: { delivery: Delivery; clubId: number }) {
  const again = useCall(webhookApi.sendAgain)
  const { id, type, status, createdAt, attempts, answerCode, failure, runAt, body } = delivery
  const { text, look } = statuses[status]
  const facts = [
    momentText(createdAt),
    attempts > 0 && texts.tries({ count: attempts }),
    answerCode !== null && texts.answer({ code: String(answerCode) }),
    failure !== null && failures[failure](),
    runAt !== null && texts.nextTry({ time: momentText(runAt) }),
  ].filter((fact) => fact !== false)
  return (
    <li className={styles.item}>
      <div>
        <p>
          <strong>{eventTexts[type]()}</strong> <span className={`badge ${look}`}>{text()}</span>
        </p>
        <p className="muted small">{facts.join(' · ')}</p>
        <details className="small">
          <summary>{texts.content()}</summary>
          <code>{body}</code>
        </details>
      </div>
      <Button
        variant="default"
        size="compact-md"
        loading={again.isPending}
        onClick={() => again.mutate({ payload: { clubId, id } })}
      >
        {texts.sendAgain()}
      </Button>
    </li>
  )
}
