import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type OwnPasskey, passkeyApi } from '../../contract/passkeys.ts'
import { securityApi } from '../../contract/security.ts'
import { formatDate, formatTime } from '../../contract/values/dates.ts'
import * as texts from '../../texts/generated/passkeys.ts'
import { useCall } from '../api/query.ts'
import { formatAgo } from '../events/home/format-ago.ts'
import { RemovalDialog } from '../ui/dialogs/RemovalDialog.tsx'
import { useNow } from '../ui/use-now.ts'
import { deviceName } from '../users/device-name.ts'
import list from '../users/SessionsCard.module.css'
import { AddPasskey } from './AddPasskey.tsx'
import styles from './Passkeys.module.css'

interface Props {
  passkeys: readonly OwnPasskey[]
  /** Whether there is an app with codes too. */
  hasApp: boolean
  onAdded: (recoveryCodes: readonly string[] | null) => void
}

/** One's own passkeys, with ways to add and to remove one. */
export function PasskeyList({ passkeys, hasApp, onAdded }: Props) {
  const [asked, setAsked] = useState<OwnPasskey | null>(null)
  const remove = useCall(passkeyApi.remove)
  const client = useQueryClient()
  const heading = useRef<HTMLHeadingElement>(null)
  const isRemoved = useRef(false)
  const close = () => setAsked(null)
  const isLast = passkeys.length === 1 && !hasApp
  return (
    <>
      <h3 ref={heading} tabIndex={-1} className={styles.heading}>
        {texts.heading()}
      </h3>
      <p className="muted">
        {texts.about()} {passkeys.length === 0 && !hasApp && texts.aboutFirst()}
      </p>
      {passkeys.length > 0 && (
        <ul className={list.sessions}>
          {passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              onRemove={() => {
                isRemoved.current = false
                setAsked(passkey)
              }}
            />
          ))}
        </ul>
      )}
      <AddPasskey label={texts.add()} onAdded={onAdded} />
      <RemovalDialog
        title={texts.removeTitle({ device: asked ? deviceName(asked) : '' })}
        action={texts.remove()}
        isOpen={asked !== null}
        isBusy={remove.isPending}
        onConfirm={() =>
          asked &&
          remove.mutate(
            { payload: { id: asked.id } },
            {
              onSuccess: () => {
                isRemoved.current = true
              },
              // Another page may have removed it before.
              onError: () => void client.invalidateQueries({ queryKey: [securityApi.getFactors.path] }),
              onSettled: close,
            },
          )
        }
        onClose={close}
        focusAfter={() => (isRemoved.current ? heading.current : null)}
      >
        {asked && <p>{texts.addedOn(momentOf(asked))}</p>}
        <p>{texts.removeText()}</p>
        {isLast && <p>{texts.removeLast()}</p>}
      </RemovalDialog>
    </>
  )
}

/** When it was added tells two of one device apart. */
function momentOf({ createdAt }: OwnPasskey): { date: string; time: string } {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return { date: formatDate(createdAt, timeZone), time: formatTime(createdAt, timeZone) }
}

function PasskeyRow({ passkey, onRemove }: { passkey: OwnPasskey; onRemove: () => void }) {
  const now = useNow()
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const { lastUsedAt } = passkey
  const device = deviceName(passkey)
  return (
    <li>
      <div>
        <strong>{device}</strong>
        <p className="muted small">
          {texts.addedOn(momentOf(passkey))}
          <br />
          {lastUsedAt ? texts.lastUsed({ ago: formatAgo(lastUsedAt, now, timeZone) }) : texts.notUsed()}
        </p>
      </div>
      <Button
        variant="default"
        size="compact-md"
        aria-label={texts.removeOf({ device, ...momentOf(passkey) })}
        onClick={onRemove}
      >
        {texts.remove()}
      </Button>
    </li>
  )
}
