import { Button, Group, Menu } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Link } from 'react-router'
import { codeEffect } from '../../contract/code-effect.ts'
import { type Code, codeApi } from '../../contract/codes.ts'
import type { Event } from '../../contract/event.ts'
import type { TicketType } from '../../contract/ticket-type.ts'
import { formatDate, formatTime } from '../../contract/values/dates.ts'
import * as texts from '../../texts/generated/codesPage.ts'
import { query, useCall } from '../api/query.ts'
import offers from '../extras/OfferList.module.css'
import * as paths from '../paths.ts'
import { useMay } from '../session/may.ts'
import { baseUrl } from '../site.ts'
import { copyText } from '../ui/copy-text.ts'
import { RemovalDialog } from '../ui/dialogs/RemovalDialog.tsx'
import { MoreButton } from '../ui/menus/MoreButton.tsx'
import { SeatsBar } from '../ui/SeatsBar.tsx'
import { useNow } from '../ui/use-now.ts'
import { CodeDialog } from './CodeDialog.tsx'
import styles from './CodesSection.module.css'

interface Props {
  event: Event
  /** Also those no longer on sale. */
  types: readonly TicketType[]
}

/** The codes of an event, where staff edit them. */
export function CodesSection({ event, types }: Props) {
  const codes = useSuspenseQuery(query(codeApi.getCodes, { eventId: event.id })).data
  const [edited, setEdited] = useState<Code | 'new' | null>(null)
  const may = useMay()
  return (
    <section aria-labelledby="codes" className={styles.codes}>
      <div className="row spread">
        <div>
          <h2 id="codes">{texts.codes()}</h2>
          <p className="muted">{texts.about()}</p>
        </div>
        {may('events') && (
          <Button variant="light" onClick={() => setEdited('new')}>
            {texts.addACode()}
          </Button>
        )}
      </div>
      {codes.length === 0 && types.some(({ access, removedAt }) => access === 'code' && removedAt === null) && (
        <p className="hint">{texts.codeMissing()}</p>
      )}
      {codes.length > 0 && (
        <ul className={offers.offers}>
          {codes.map((code) => (
            <CodeCard key={code.id} {...{ event, code, types }} onEdit={() => setEdited(code)} />
          ))}
        </ul>
      )}
      {edited && (
        <CodeDialog
          event={event}
          code={edited === 'new' ? null : edited}
          types={types}
          onClose={() => setEdited(null)}
        />
      )}
    </section>
  )
}

function CodeCard({ event, code, types, onEdit }: Props & { code: Code; onEdit: () => void }) {
  const { ticketTypeIds, usedCount, maxUses, note } = code
  const may = useMay()
  const tickets = types.filter(({ id }) => ticketTypeIds.includes(id)).map(({ name }) => name)
  const now = useNow()
  const when = whenText(code, event, now)
  const state = stateText(code, now)
  const hasHidden = types.some(({ access, removedAt }) => access === 'code' && removedAt === null)
  const uses =
    maxUses === null ? texts.used({ count: usedCount }) : texts.usedOf({ count: usedCount, most: String(maxUses) })
  const link = `${baseUrl()}${paths.event(event)}?code=${encodeURIComponent(code.code)}`
  return (
    <li className="card" data-over={state !== null || undefined}>
      <h3 className={styles.name}>
        <span className={styles.code}>{code.code}</span>{' '}
        <span className="price">{codeEffect(code, event.currency)}</span>{' '}
        {state !== null && <span className="badge">{state}</span>}
      </h3>
      <div className={offers.content}>
        <p>
          {tickets.length > 0
            ? texts.onlyFor({ tickets: tickets.join(', ') })
            : hasHidden
              ? texts.forAllAndHidden()
              : texts.forAll()}
        </p>
        {when !== null && <p className="muted">{when}</p>}
        {note !== '' && <p className="muted">{note}</p>}
        <p className={offers.counts}>
          {usedCount > 0 ? (
            <Link to={`${paths.attendees(event.id)}?code=${code.id}`}>{uses}</Link>
          ) : (
            <strong>{uses}</strong>
          )}
        </p>
        {maxUses !== null && (
          <div className={offers.sold}>
            <SeatsBar label={texts.usesOf({ code: code.code })} taken={usedCount} places={maxUses} />
          </div>
        )}
      </div>
      <Group gap="xs" className={offers.actions}>
        <Button
          variant="light"
          leftSection={<IconCopy size={18} aria-hidden />}
          aria-label={texts.copyLinkOf({ code: code.code })}
          onClick={() => void copyText(link)}
        >
          {texts.copyLink()}
        </Button>
        {may('events') && (
          <>
            <Button variant="light" aria-label={texts.editOne({ code: code.code })} onClick={onEdit}>
              {texts.edit()}
            </Button>
            <Removal {...{ event, code }} />
          </>
        )}
      </Group>
    </li>
  )
}

function Removal({ event, code }: { event: Event; code: Code }) {
  const [isAsked, setAsked] = useState(false)
  const more = useRef<HTMLButtonElement>(null)
  const close = () => {
    setAsked(false)
    // The entry of the menu that opened the dialog is gone.
    more.current?.focus()
  }
  const remove = useCall(codeApi.removeCode)
  const confirm = () =>
    remove
      .mutateAsync({ payload: { eventId: event.id, codeId: code.id } })
      .catch(() => {})
      .finally(close)
  return (
    <>
      <Menu position="bottom-end" portalProps={{ target: 'main' }}>
        <Menu.Target>
          <MoreButton ref={more} of={code.code} />
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item color="var(--bad)" onClick={() => setAsked(true)}>
            {texts.remove()}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <RemovalDialog
        title={texts.removeOne({ code: code.code })}
        action={texts.remove()}
        isOpen={isAsked}
        isBusy={remove.isPending}
        onConfirm={() => void confirm()}
        onClose={close}
      >
        <p>{code.usedCount > 0 ? texts.removeUsed({ count: code.usedCount }) : texts.removeUnused()}</p>
      </RemovalDialog>
    </>
  )
}

/** Why nobody can use it now; null while somebody can. */
function stateText({ opensAt, closesAt, maxUses, usedCount }: Code, now: Date): string | null {
  if (closesAt && closesAt <= now) return texts.expired()
  if (opensAt && opensAt > now) return texts.notYet()
  return maxUses !== null && usedCount >= maxUses ? texts.usedUp() : null
}

/** When it can be used, as seen from now; null for always. */
function whenText({ opensAt, closesAt }: Code, { timeZone }: Event, now: Date): string | null {
  const at = (moment: Date) => ({ date: formatDate(moment, timeZone), time: formatTime(moment, timeZone) })
  if (closesAt && closesAt <= now) return texts.endedOn(at(closesAt))
  const parts = [
    ...(opensAt && opensAt > now ? [texts.validFrom(at(opensAt))] : []),
    ...(closesAt ? [texts.validUntil(at(closesAt))] : []),
  ]
  return parts.length > 0 ? parts.join(' · ') : null
}
