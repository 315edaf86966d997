import { Group, Menu } from '@mantine/core'
import { useState } from 'react'
import type { Event } from '../../contract/event.ts'
import { type Pass, passApi } from '../../contract/passes.ts'
import { formatDate, formatTime } from '../../contract/values/dates.ts'
import * as texts from '../../texts/generated/helpers.ts'
import { useCall } from '../api/query.ts'
import { RemovalDialog } from '../ui/dialogs/RemovalDialog.tsx'
import { MoreButton } from '../ui/menus/MoreButton.tsx'
import { abilityTexts } from './ability-texts.ts'
import styles from './HelpersPage.module.css'
import { LinkDialog } from './LinkDialog.tsx'

interface Props {
  event: Event
  pass: Pass
  isEnded?: boolean
}

/** A helper pass with its state, and what can be done about it. */
export function PassRow({ event, pass, isEnded = false }: Props) {
  const renew = useCall(passApi.renewPass)
  const revoke = useCall(passApi.revokePass)
  const [asked, setAsked] = useState<'renew' | 'revoke' | null>(null)
  const [link, setLink] = useState<string | null>(null)
  const { id, name, may, openOn } = pass
  const payload = { eventId: event.id, id }
  const close = () => setAsked(null)
  const makeLink = () => renew.mutate({ payload }, { onSuccess: ({ token }) => setLink(token), onSettled: close })
  return (
    <Group component="li" wrap="nowrap" justify="space-between" align="flex-start" className={styles.pass}>
      <div>
        <p>
          <strong>{name}</strong>
        </p>
        <p className="muted small">{may.map((ability) => abilityTexts[ability]()).join(' · ')}</p>
        <p className="small">{isEnded ? endedText(event, pass) : stateText(event, pass)}</p>
      </div>
      {!isEnded && (
        <Menu position="bottom-end">
          <Menu.Target>
            <MoreButton of={name} isCompact />
          </Menu.Target>
          <Menu.Dropdown>
            {/* Nobody loses a phone that works without being asked. */}
            <Menu.Item disabled={renew.isPending} onClick={() => (openOn.length > 0 ? setAsked('renew') : makeLink())}>
              {texts.makeNewLink()}
            </Menu.Item>
            <Menu.Item color="var(--bad)" onClick={() => setAsked('revoke')}>
              {texts.revoke()}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      <RemovalDialog
        title={texts.renewTitle({ name })}
        action={texts.makeNewLink()}
        isOpen={asked === 'renew'}
        isBusy={renew.isPending}
        onConfirm={makeLink}
        onClose={close}
      >
        <p>{texts.renewText()}</p>
      </RemovalDialog>
      <RemovalDialog
        title={texts.revokeTitle({ name })}
        action={texts.revoke()}
        isOpen={asked === 'revoke'}
        isBusy={revoke.isPending}
        onConfirm={() => revoke.mutate({ payload }, { onSettled: close })}
        onClose={close}
      >
        <p>{texts.revokeText()}</p>
      </RemovalDialog>
      {link !== null && <LinkDialog event={event} name={name} token={link} onClose={() => setLink(null)} />}
    </Group>
  )
}

const momentIn = (at: Date, timeZone: string) => ({ date: formatDate(at, timeZone), time: formatTime(at, timeZone) })

function stateText({ timeZone }: Event, { openOn, phones, endsAt }: Pass): string {
  const [latest] = openOn
  if (!latest) return texts.notOpened(momentIn(endsAt, timeZone))
  const { browser, system, lastUsedAt } = latest
  const device = browser && system ? texts.deviceOf({ browser, system }) : texts.aPhone()
  const facts = { device, ...momentIn(lastUsedAt, timeZone) }
  return phones === 1 ? texts.openOn(facts) : texts.openOnSome({ ...facts, count: openOn.length, phones })
}

function endedText({ timeZone }: Event, { revokedAt, endsAt }: Pass): string {
  return revokedAt === null ? texts.endedAt(momentIn(endsAt, timeZone)) : texts.revokedAt(momentIn(revokedAt, timeZone))
}
