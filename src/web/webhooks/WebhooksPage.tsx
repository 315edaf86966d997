import { Button } from '@mantine/core'
import { IconWebhook } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { webhookApi } from '../../contract/webhooks.ts'
import * as staffTexts from '../../texts/generated/staff.ts'
import * as texts from '../../texts/generated/webhooks.ts'
import { query } from '../api/query.ts'
import { useOwnClub } from '../layouts/SignedIn.tsx'
import * as paths from '../paths.ts'
import { Parts } from '../ui/Parts.tsx'
import { WebhookDialog } from './WebhookDialog.tsx'
import { WebhookRow } from './WebhookRow.tsx'
import styles from './WebhooksPage.module.css'

/** The webhooks of one's club. */
export function WebhooksPage() {
  const clubId = useOwnClub()
  const { data: webhooks } = useSuspenseQuery(query(webhookApi.getWebhooks, { clubId }))
  const [isAdding, setAdding] = useState(false)
  return (
    <div className="page narrow">
      <div className="row spread">
        <div className={styles.head}>
          <h1>{texts.title()}</h1>
          <p className="muted">
            <Link to={paths.editClub(clubId)}>{staffTexts.clubSettings()}</Link>
          </p>
        </div>
        <Button leftSection={<IconWebhook size={18} aria-hidden />} onClick={() => setAdding(true)}>
          {texts.add()}
        </Button>
      </div>
      <p>
        {texts.whatFor()} <Parts of={texts.intro({ link: (text) => <a href="/api/docs#messages">{text}</a> })} />
      </p>
      <section className="card">
        {webhooks.length === 0 ? (
          <p className="muted">{texts.none()}</p>
        ) : (
          <ul className={styles.list}>
            {webhooks.map((webhook) => (
              <WebhookRow key={webhook.id} webhook={webhook} clubId={clubId} />
            ))}
          </ul>
        )}
      </section>
      {isAdding && <WebhookDialog clubId={clubId} webhook={null} onClose={() => setAdding(false)} />}
    </div>
  )
}
