import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { type ApiToken, apiTokenApi } from '../../contract/api-tokens.ts'
import { formatDate } from '../../contract/values/dates.ts'
import * as texts from '../../texts/generated/apiTokens.ts'
import { useCall } from '../api/query.ts'
import { serverNow } from '../api/server-time.ts'
import { RemovalDialog } from '../ui/dialogs/RemovalDialog.tsx'
import { permissionTexts } from './permission-texts.ts'
import styles from './TokensPage.module.css'

/** An API token with what it allows and how long, and a way to end it. */
export function TokenRow({ token }: { token: ApiToken }) {
  const revoke = useCall(apiTokenApi.revokeToken)
  const [isAsked, setAsked] = useState(false)
  const { id, name, start, permissions, expiresAt, lastUsedAt } = token
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const hasExpired = expiresAt <= serverNow()
  const expiry = { date: formatDate(expiresAt, timeZone) }
  return (
    <Group component="li" wrap="nowrap" justify="space-between" align="flex-start" className={styles.token}>
      <div>
        <p>
          <strong>{name}</strong> <code>{`${start}…`}</code>
        </p>
        <p className="muted small">
          {permissions.length === 0
            ? texts.roleAllowsNone()
            : permissions.map((each) => permissionTexts[each]()).join(' · ')}
        </p>
        <p className="small">
          {hasExpired ? <span className="badge bad">{texts.expired(expiry)}</span> : texts.validUntil(expiry)}
          {' · '}
          {lastUsedAt === null ? texts.notUsed() : texts.lastUsed({ date: formatDate(lastUsedAt, timeZone) })}
        </p>
      </div>
      <Button variant="default" size="compact-md" aria-label={texts.revokeOne({ name })} onClick={() => setAsked(true)}>
        {texts.revoke()}
      </Button>
      <RemovalDialog
        title={texts.revokeTitle({ name })}
        action={texts.revoke()}
        isOpen={isAsked}
        isBusy={revoke.isPending}
        onConfirm={() => revoke.mutate({ payload: { id } }, { onSettled: () => setAsked(false) })}
        onClose={() => setAsked(false)}
      >
        <p>{texts.revokeText()}</p>
      </RemovalDialog>
    </Group>
  )
}
