import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useDeferredValue, useMemo, useState } from 'react'
import { formatTime } from '../../contract/dates.ts'
import type { DoorTicket } from '../../contract/door.ts'
import { readQr } from '../../contract/tickets.ts'
import type { Door, DoorView } from './door.ts'
import { findNames, indexNames } from './find-names.ts'
import { notesOf, type TicketList, ticketOf } from './ticket-list.ts'

/** So many are shown; whoever is not among them is found by another letter. */
const MOST_FOUND = 8

interface Props {
  door: Door
  view: DoorView
  isBusy: boolean
  onCode: (code: string) => void
  onLetIn: (ticketId: number) => void
  variant?: 'main' | 'voucher'
}

/** Finds somebody by a part of the name, or takes a typed code. Without network too. */
export function FindGuest({ door, view: { list }, isBusy, onCode, onLetIn, variant = 'main' }: Props) {
  const [text, setText] = useState('')
  const wanted = useDeferredValue(text)
  const isCode = readQr(text) !== null
  const isName = wanted.trim().length > 1 && readQr(wanted) === null
  // The names are made ready only when somebody is looked for.
  const searched = isName ? list : null
  const index = useMemo(() => (searched ? indexNames(searched.tickets.values()) : null), [searched])
  const found = useMemo(() => (index ? findNames(index, wanted, MOST_FOUND) : null), [index, wanted])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === '') return
    // With nobody of that name it was meant as a code, and is answered as one.
    if (isCode || (found ?? []).length === 0) {
      onCode(text.trim())
      setText('')
    }
  }
  return (
    <section className="card door-find" aria-label="Find somebody">
      <form onSubmit={submit} className="door-search">
        <TextInput
          label="Name or code"
          aria-describedby="find-help"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          size="md"
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Button
          type="submit"
          size="md"
          loading={isBusy}
          disabled={text.trim() === '' || (!isCode && (found ?? []).length > 0)}
        >
          {variant === 'main' ? 'Check in' : 'Look up'}
        </Button>
      </form>
      <p className="muted small" id="find-help">
        A part of the name, or the code below the QR code, such as {variant === 'main' ? '42-9F3A1C7B' : 'V42-9F3A1C7B'}
        .
      </p>
      {list && found && (
        <Found
          list={list}
          tickets={found.flatMap((id) => ticketOf(list, door.marks, id) ?? [])}
          variant={variant}
          onLetIn={(id) => {
            setText('')
            onLetIn(id)
          }}
        />
      )}
    </section>
  )
}

interface FoundProps {
  list: TicketList
  tickets: readonly DoorTicket[]
  variant: 'main' | 'voucher'
  onLetIn: (ticketId: number) => void
}

function Found({ list, tickets, variant, onLetIn }: FoundProps) {
  if (tickets.length === 0) return <p role="status">Nobody of this name has a ticket.</p>
  return (
    <ul className="door-found" aria-label="Found">
      {tickets.map((ticket) => (
        <li key={ticket.id}>
          <div>
            <strong>{ticket.name}</strong>
            <span className="muted small">{secondLine(list, ticket)}</span>
          </div>
          {variant === 'voucher' && ticket.status === 'confirmed' ? (
            <VoucherButton ticket={ticket} onChoose={onLetIn} />
          ) : ticket.status === 'confirmed' && ticket.in === null ? (
            <Button size="md" onClick={() => onLetIn(ticket.id)} aria-label={`Let ${ticket.name} in`}>
              Let in
            </Button>
          ) : (
            <span className={ticket.in ? 'badge good' : 'badge bad'}>{stateOf(list, ticket)}</span>
          )}
        </li>
      ))}
    </ul>
  )
}

function VoucherButton({ ticket, onChoose }: { ticket: DoorTicket; onChoose: (ticketId: number) => void }) {
  if (ticket.vouchers.length === 0) return <span className="badge">No voucher</span>
  return (
    <Button size="md" onClick={() => onChoose(ticket.id)} aria-label={`Vouchers of ${ticket.name}`}>
      Vouchers
    </Button>
  )
}

/** What tells two of the same name apart. */
function secondLine(list: TicketList, ticket: DoorTicket): string {
  return [`No. ${ticket.id}`, ...notesOf(list, ticket).map(({ text }) => text)].join(' · ')
}

function stateOf({ event }: TicketList, { status, in: first }: DoorTicket): string {
  if (first) return `In since ${formatTime(first.at, event.timeZone)}`
  return status === 'cancelled' ? 'Cancelled' : 'Not paid'
}
