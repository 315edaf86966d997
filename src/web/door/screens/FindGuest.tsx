import { Button, TextInput } from '@mantine/core'
import { type FormEvent, type RefObject, useDeferredValue, useMemo } from 'react'
import type { DoorTicket } from '../../../contract/door.ts'
import { formatTime } from '../../../contract/values/dates.ts'
import { formatPrice } from '../../../contract/values/money.ts'
import * as texts from '../../../texts/generated/door.ts'
import * as exitTexts from '../../../texts/generated/exits.ts'
import * as walkInTexts from '../../../texts/generated/walkIns.ts'
import { useMay } from '../../session/may.ts'
import type { Door, DoorView } from '../phone/door.ts'
import { findNames, indexNames } from '../rules/find-names.ts'
import { judgeTicket } from '../rules/judge.ts'
import { notesOf, type TicketList, ticketOf } from '../rules/ticket-list.ts'
import { codeAtEnd } from '../rules/typed-code.ts'
import { waitingWalkIns } from '../walk-ins/walk-ins.ts'
import styles from './FindGuest.module.css'
import type { Typing } from './use-typing.ts'

/** The most matches shown; typing another letter finds the others. */
const MOST_FOUND = 8

interface Props {
  door: Door
  view: DoorView
  isBusy: boolean
  onCode: (code: string) => void
  onLetIn: (ticketId: number) => void
  /** The content of the search field. */
  typing: Typing
  field: RefObject<HTMLInputElement | null>
  variant?: 'main' | 'voucher'
}

/** Finds somebody by part of the name, or takes a typed code; also without network. */
export function FindGuest({
  door,
  view: { list, direction },
  isBusy,
  onCode,
  onLetIn,
  typing,
  field,
  variant = 'main',
}: Props) {
  const { text, setText } = typing
  const wanted = useDeferredValue(text)
  const typed = codeAtEnd(text)
  const mayFind = useMay()('search')
  const isName = mayFind && wanted.trim().length > 1 && codeAtEnd(wanted) === null
  // The names are indexed only when staff search for somebody.
  const searched = isName ? list : null
  const index = useMemo(() => (searched ? indexNames(searched.tickets.values()) : null), [searched])
  const found = useMemo(() => (index ? findNames(index, wanted, MOST_FOUND) : null), [index, wanted])
  const added = isName ? findAdded(door.queue, wanted) : []
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === '') return
    if (typed) {
      onCode(typed.code)
      // A keyboard scanner's code after a name leaves the name in the field.
      setText(typed.before)
    } else if ((found ?? []).length === 0 && added.length === 0) {
      // If nobody has that name, the text is treated as a code.
      onCode(text.trim())
      setText('')
    }
  }
  return (
    <section
      className={`card ${styles.find}`}
      data-searching={typing.isSearching || undefined}
      aria-label={mayFind ? texts.findSomebody() : texts.codeBelow()}
    >
      <form onSubmit={submit} className={styles.search}>
        <TextInput
          ref={field}
          label={mayFind ? texts.nameOrCode() : texts.codeBelow()}
          aria-describedby="find-help"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          size="md"
          value={text}
          onChange={({ currentTarget: { value } }) => {
            // Whoever empties the field is about to type something else.
            if (value === '') typing.begin()
            setText(value)
          }}
          onFocus={typing.begin}
          onBlur={typing.end}
        />
        <Button
          type="submit"
          size="md"
          loading={isBusy}
          disabled={text.trim() === '' || (!typed && (found ?? []).length > 0)}
        >
          {texts.find()}
        </Button>
      </form>
      {typing.isSearching && (
        <p className={styles.back}>
          <button
            type="button"
            className="button small quiet"
            onClick={() => {
              setText('')
              field.current?.blur()
            }}
          >
            {texts.backToScanning()}
          </button>
        </p>
      )}
      <p className="muted small" id="find-help">
        {(mayFind ? texts.findHelp : texts.codeHelp)({ example: variant === 'main' ? '42-9F3A1C7B' : 'V42-9F3A1C7B' })}
      </p>
      {/* Always in the page, so that screen readers announce its changes. */}
      <p role="status" className={found?.length === 0 && added.length === 0 ? undefined : styles.forScreenReaders}>
        {found && countOf(found.length + added.length)}
      </p>
      {added.length > 0 && (
        <ul className={styles.found}>
          {added.map(({ scanId, name }) => (
            <li key={scanId}>
              <strong>{name}</strong>
              <span className="badge good">{walkInTexts.notSentYet()}</span>
            </li>
          ))}
        </ul>
      )}
      {list && found && found.length > 0 && (
        <Found
          list={list}
          tickets={found.flatMap((id) => ticketOf(list, door.localCheckins, id) ?? [])}
          variant={variant}
          direction={direction}
          isBusy={isBusy}
          onLetIn={(id) => {
            setText('')
            onLetIn(id)
          }}
        />
      )}
    </section>
  )
}

/** The people whom this phone has added, and the list does not have yet. */
function findAdded(queue: Door['queue'], wanted: string): { scanId: string; name: string }[] {
  const people = waitingWalkIns(queue).flatMap(({ scanId, act }) =>
    act.kind === 'walk-in' ? [{ scanId, name: act.registrationData.name }] : [],
  )
  const index = indexNames(people.map(({ name }, id) => ({ id, name })))
  return findNames(index, wanted, MOST_FOUND).flatMap((id) => people[id] ?? [])
}

function countOf(found: number): string {
  if (found === 0) return texts.nobodyFound()
  return found === MOST_FOUND ? texts.firstShown({ count: MOST_FOUND }) : texts.peopleFound({ count: found })
}

interface FoundProps {
  list: TicketList
  tickets: readonly DoorTicket[]
  variant: 'main' | 'voucher'
  direction: DoorView['direction']
  isBusy: boolean
  onLetIn: (ticketId: number) => void
}

/** What the button of an unpaid ticket is about, for screen readers. */
function payOf({ name, due }: DoorTicket): string {
  return due ? `${name}: ${texts.toPay({ amount: formatPrice(due.amount, due.currency) })}` : name
}

function Found({ list, tickets, variant, direction, isBusy, onLetIn }: FoundProps) {
  const may = useMay()
  const mayTakeMoney = variant === 'main' && may('take-money') && may('tickets')
  return (
    <ul className={styles.found} aria-label={texts.found()}>
      {tickets.map((ticket) => (
        <li key={ticket.id}>
          <div>
            <strong>{ticket.name}</strong>
            <span className="muted small">{secondLine(list, ticket)}</span>
          </div>
          {variant === 'voucher' && ticket.status === 'confirmed' ? (
            <VoucherButton ticket={ticket} isBusy={isBusy} onChoose={onLetIn} />
          ) : canMove(list, ticket, direction) ? (
            <Button
              size="md"
              disabled={isBusy}
              onClick={() => onLetIn(ticket.id)}
              aria-label={(direction === 'out' ? exitTexts.scanOutOne : texts.letInOne)({ name: ticket.name })}
            >
              {direction === 'out' ? exitTexts.scanOut() : texts.letIn()}
            </Button>
          ) : ticket.status === 'pending' && ticket.due && mayTakeMoney && direction === 'in' ? (
            <Button size="md" disabled={isBusy} onClick={() => onLetIn(ticket.id)} aria-label={payOf(ticket)}>
              {texts.toPay({ amount: formatPrice(ticket.due.amount, ticket.due.currency) })}
            </Button>
          ) : (
            <span className={ticket.in ? 'badge good' : 'badge bad'}>{stateOf(list, ticket)}</span>
          )}
        </li>
      ))}
    </ul>
  )
}

interface VoucherButtonProps {
  ticket: DoorTicket
  isBusy: boolean
  onChoose: (ticketId: number) => void
}

function VoucherButton({ ticket, isBusy, onChoose }: VoucherButtonProps) {
  if (ticket.vouchers.length === 0) return <span className="badge">{texts.noVoucher()}</span>
  return (
    <Button
      size="md"
      disabled={isBusy}
      onClick={() => onChoose(ticket.id)}
      aria-label={texts.vouchersOf({ name: ticket.name })}
    >
      {texts.vouchers()}
    </Button>
  )
}

/** The details that distinguish two people with the same name. */
function secondLine(list: TicketList, ticket: DoorTicket): string {
  return [texts.numberOf({ id: ticket.id }), ...notesOf(list, ticket).map(({ text }) => text)].join(' · ')
}

/** Whether the ticket is valid for whoever goes this way now. */
function canMove(list: TicketList, ticket: DoorTicket, direction: DoorView['direction']): boolean {
  return judgeTicket(ticket, list, direction).verdict.kind === 'in'
}

function stateOf({ event }: TicketList, { status, in: first, out }: DoorTicket): string {
  if (out) return exitTexts.outSince({ time: formatTime(out, event.timeZone) })
  if (first) return texts.inSince({ time: formatTime(first.at, event.timeZone) })
  return status === 'cancelled' ? texts.cancelled() : texts.notPaid()
}
