import { Button, Menu } from '@mantine/core'
import { useState } from 'react'
import { type Webhook, webhookApi } from '../../contract/webhooks.ts'
import * as texts from '../../texts/generated/webhooks.ts'
import { useCall } from '../api/query.ts'
import { serverNow } from '../api/server-time.ts'
import { RemovalDialog } from '../ui/dialogs/RemovalDialog.tsx'
import { MoreButton } from '../ui/menus/MoreButton.tsx'
import { eventTexts } from './event-texts.ts'
import { MessagesDialog } from './MessagesDialog.tsx'
import { momentText, nameOf } from './moment-text.ts'
import { SecretDialog } from './SecretDialog.tsx'
import { WebhookDialog } from './WebhookDialog.tsx'
import styles from './WebhooksPage.module.css'

/** A webhook with its state, and what can be done about it. */
export function WebhookRow({ webhook, clubId }: { webhook: Webhook; clubId: number }) {
  const pause = useCall(webhookApi.pauseWebhook)
  const test = useCall(webhookApi.sendTest)
  const roll = useCall(webhookApi.rollSecret)
  const remove = useCall(webhookApi.removeWebhook)
  const [asked, setAsked] = useState<'messages' | 'edit' | 'secret' | 'remove' | null>(null)
  const close = () => setAsked(null)
  const { id, url, events, pausedAt } = webhook
  const name = nameOf(url)
  const input = { payload: { clubId, id } }
  const isPaused = pausedAt !== null
  return (
    <li className={styles.item}>
      <div>
        <p>
          <strong>{url}</strong>
        </p>
        <p className="muted small">{events.map((each) => eventTexts[each]()).join(' · ')}</p>
        <State webhook={webhook} />
        <div className={styles.buttons}>
          <Button variant="default" size="compact-md" onClick={() => setAsked('messages')}>
            {texts.messages()}
          </Button>
          <Button
            variant="default"
            size="compact-md"
            loading={test.isPending}
            onClick={() => test.mutate(input, { onSuccess: () => setAsked('messages') })}
          >
            {texts.sendTest()}
          </Button>
        </div>
      </div>
      <Menu position="bottom-end">
        <Menu.Target>
          <MoreButton of={name} isCompact />
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setAsked('edit')}>{texts.edit()}</Menu.Item>
          <Menu.Item
            disabled={pause.isPending}
            onClick={() => pause.mutate({ payload: { clubId, id, isPaused: !isPaused } })}
          >
            {isPaused ? texts.resume() : texts.pause()}
          </Menu.Item>
          <Menu.Item onClick={() => setAsked('secret')}>{texts.replaceSecret()}</Menu.Item>
          <Menu.Item color="var(--bad)" onClick={() => setAsked('remove')}>
            {texts.remove()}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {asked === 'messages' && <MessagesDialog clubId={clubId} webhook={webhook} onClose={close} />}
      {asked === 'edit' && <WebhookDialog clubId={clubId} webhook={webhook} onClose={close} />}
      {roll.data && <SecretDialog name={name} secret={roll.data.secret} onClose={roll.reset} />}
      <RemovalDialog
        title={texts.replaceTitle({ name })}
        action={texts.replaceSecret()}
        isOpen={asked === 'secret'}
        isBusy={roll.isPending}
        onConfirm={() => roll.mutate(input, { onSettled: close })}
        onClose={close}
      >
        <p>{texts.replaceText()}</p>
      </RemovalDialog>
      <RemovalDialog
        title={texts.removeTitle({ name })}
        action={texts.remove()}
        isOpen={asked === 'remove'}
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate(input, { onSettled: close })}
        onClose={close}
      >
        <p>{texts.removeText()}</p>
      </RemovalDialog>
    </li>
  )
}

function State({ webhook: { pausedBy, failingSince, oldSecretUntil } }: { webhook: Webhook }) {
  return (
    <>
      {pausedBy !== null && (
        <p className="small">
          {pausedBy === 'team' ? (
            <span className="badge warm">{texts.paused()}</span>
          ) : (
            <span className="badge bad">{texts.pausedByFailing()}</span>
          )}
        </p>
      )}
      {pausedBy === null && failingSince !== null && (
        <p className="small">
          <span className="badge bad">{texts.failing({ time: momentText(failingSince) })}</span>
        </p>
      )}
      {oldSecretUntil !== null && oldSecretUntil > serverNow() && (
        <p className="muted small">{texts.oldSecret({ time: momentText(oldSecretUntil) })}</p>
      )}
    </>
  )
}
