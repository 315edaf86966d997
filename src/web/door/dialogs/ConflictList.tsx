import { Button, Group, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Conflict, type DoorEvent, doorApi } from '../../../contract/door.ts'
import { formatDate, formatTime } from '../../../contract/values/dates.ts'
import { formatPrice } from '../../../contract/values/money.ts'
import * as texts from '../../../texts/generated/door.ts'
import * as moneyTexts from '../../../texts/generated/doorMoney.ts'
import * as retentionTexts from '../../../texts/generated/retention.ts'
import * as walkInTexts from '../../../texts/generated/walkIns.ts'
import type { Message } from '../../../texts/language.ts'
import { query, useCall } from '../../api/query.ts'
import { Problem } from '../../layouts/Problem.tsx'
import { useMay } from '../../session/may.ts'
import { useFocusReturn } from '../../ui/dialogs/use-focus-return.ts'
import { useListFocus } from '../../ui/dialogs/use-list-focus.ts'
import { Loading } from '../../ui/Loading.tsx'
import { AddFromConflict } from './AddFromConflict.tsx'
import { Contact } from './Contact.tsx'
import styles from './scan-list.module.css'

type ForEvent = Pick<DoorEvent, 'id' | 'timeZone'>

/** The conflicts of an event, over the scanner's page. */
export function ConflictDialog({ event, onClose }: { event: ForEvent; onClose: () => void }) {
  useFocusReturn()
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={texts.conflictsHeading()}
      closeButtonProps={{ 'aria-label': texts.close() }}
    >
      <ConflictList event={event} />
    </Modal>
  )
}

/** The conflicts of an event as a card on another page; nothing while there are none. */
export function ConflictCard({ event }: { event: ForEvent }) {
  const { data = [] } = useQuery(query(doorApi.getConflicts, { eventId: event.id }))
  if (data.length === 0) return null
  return (
    <section className="card" id="conflicts" aria-labelledby="conflicts-title">
      <h2 id="conflicts-title">{texts.conflictsHeading()}</h2>
      <ConflictList event={event} />
    </section>
  )
}

/** Tickets that a phone without network let in although they were not valid, and who has looked into it. */
function ConflictList({ event }: { event: ForEvent }) {
  const conflicts = useQuery(query(doorApi.getConflicts, { eventId: event.id }))
  const see = useCall(doorApi.seeConflicts)
  const may = useMay()
  const [added, setAdded] = useState<Conflict | null>(null)
  const focus = useListFocus<HTMLUListElement>()
  if (conflicts.isPending) return <Loading />
  if (conflicts.isError) return <Problem error={conflicts.error} resetErrorBoundary={() => void conflicts.refetch()} />
  if (conflicts.data.length === 0) return <p>{texts.thereAreNone()}</p>
  return (
    <>
      <p className="muted">{texts.conflictsText()}</p>
      <ul className={styles.list} {...focus}>
        {conflicts.data.map((conflict) => (
          <li key={conflict.scanId} tabIndex={-1}>
            <strong>{nameOf(conflict) ?? texts.ticketRemoved({ id: conflict.registrationId ?? '' })}</strong>
            <p>{reasonOf(conflict, event.timeZone)}</p>
            {conflict.money && <p>{moneyOf(conflict.money)}</p>}
            {conflict.walkIn && <Contact {...conflict.walkIn} />}
            <p>{describeEntry(kindOf(conflict), conflict.scan, event.timeZone, conflict.voucher ?? '')}</p>
            {conflict.seenAt !== null && <p className="muted small">{seenText(conflict, event.timeZone)}</p>}
            {may('attendees') && (
              <Group gap="xs">
                {conflict.walkIn && conflict.name && conflict.registrationId === null && (
                  <Button variant={conflict.seenAt === null ? 'filled' : 'default'} onClick={() => setAdded(conflict)}>
                    {walkInTexts.addThem({ name: conflict.name })}
                  </Button>
                )}
                {conflict.seenAt === null && (
                  <Button
                    variant="light"
                    loading={see.isPending}
                    onClick={() => see.mutate({ payload: { eventId: event.id, scanIds: [conflict.scanId] } })}
                    aria-label={texts.doneOf({
                      name: nameOf(conflict) ?? texts.ticketNo({ id: conflict.registrationId ?? '' }),
                    })}
                  >
                    {texts.done()}
                  </Button>
                )}
              </Group>
            )}
          </li>
        ))}
      </ul>
      {added && <AddFromConflict event={event} conflict={added} onClose={() => setAdded(null)} />}
    </>
  )
}

/** Who has dealt with it, and when; or that the phone took it back. */
function seenText({ seenAt, seenBy, isTakenBack }: Conflict, timeZone: string): string {
  const by = { name: seenBy ?? texts.somebody(), moment: seenAt === null ? '' : formatMoment(seenAt, timeZone) }
  return isTakenBack ? walkInTexts.takenBackBy(by) : texts.doneBy(by)
}

/** Null when the registration has been removed. */
const nameOf = ({ name }: Conflict) => (name === '' ? retentionTexts.dataDeleted() : name)

const reasons: Readonly<Record<string, Message>> = {
  EVENT_CANCELLED: texts.eventWasCancelled,
  TICKET_CANCELLED: texts.ticketWasCancelled,
  TICKET_UNPAID: texts.ticketWasUnpaid,
  TICKET_HANDED_ON: texts.ticketWasGivenAway,
  NOT_FOUND: texts.registrationWasRemoved,
  PASS_ENDED: texts.passHadEnded,
  ALREADY_PAID: moneyTexts.hadPaid,
  SOLD_OUT: moneyTexts.placeWasGone,
}

/** The money that the phone took, and where it has to be given back. */
function moneyOf({ way, amount, currency, isKept }: NonNullable<Conflict['money']>): string {
  const shown = { way, amount: formatPrice(amount, currency) }
  return isKept ? moneyTexts.moneyKept(shown) : moneyTexts.moneyNamed(shown)
}

function reasonOf(conflict: Conflict, timeZone: string): string {
  const { code, name, first, voucher, walkIn, registrationId, isTakenBack } = conflict
  if (walkIn && registrationId !== null && !isTakenBack)
    return name === null ? walkInTexts.removedSince() : walkInTexts.hasTicketNow()
  if (walkIn && code !== 'PASS_ENDED' && code !== 'EVENT_CANCELLED')
    return (
      code === 'VOUCHER_SOLD_OUT'
        ? texts.notSoMuchLeft
        : isTakenBack
          ? walkInTexts.noPlaceThen
          : walkInTexts.noPlaceForThem
    )()
  if (voucher) return (code === 'ALREADY_REDEEMED' ? texts.notSoMuchLeft : (reasons[code] ?? texts.wasNotValid))()
  const reason = (reasons[code] ?? texts.ticketWasNotValid)()
  if (!first) return reason
  const earlier = describeEntry('first', first, timeZone)
  return code === 'ALREADY_CHECKED_IN' ? earlier : `${reason} ${earlier}`
}

type Kind = Parameters<typeof texts.entry>[0]['kind']

function kindOf({ code, voucher }: Conflict): Kind {
  if (voucher) return 'given'
  return code === 'ALREADY_CHECKED_IN' ? 'again' : 'other'
}

function describeEntry(kind: Kind, { at, by, device }: Conflict['scan'], timeZone: string, units = ''): string {
  const facts = { kind, units, moment: formatMoment(at, timeZone), name: by ?? texts.somebody() }
  return device ? texts.entryOn({ ...facts, device }) : texts.entry(facts)
}

function formatMoment(at: Date, timeZone: string): string {
  return `${formatDate(at, timeZone)} ${formatTime(at, timeZone)}`
}
