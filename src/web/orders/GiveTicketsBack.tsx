import { useState } from 'react'
import type { Club } from '../../contract/club.ts'
import { Refusal } from '../../contract/errors.ts'
import type { Event } from '../../contract/event.ts'
import type { Order } from '../../contract/order.ts'
import { orderApi, type TicketOfOrder } from '../../contract/orders.ts'
import { ticketApi } from '../../contract/tickets.ts'
import { toRequest } from '../../contract/wire.ts'
import * as texts from '../../texts/generated/order.ts'
import { useSend } from '../api/use-send.ts'
import { WriteToClub } from '../events/EventActions.tsx'
import { dropTicket } from '../offline/keep-ticket.ts'
import { useRenderedPage } from '../rendered-page.ts'
import { InlineConfirmation } from '../ui/buttons/InlineConfirmation.tsx'
import { useIsRunning } from '../ui/use-is-running.ts'
import { useNow } from '../ui/use-now.ts'

interface Props {
  order: Order
  event: Event
  club: Club
  /** Those that are valid or wait to be paid. */
  tickets: readonly TicketOfOrder[]
}

/** Returns one or all tickets of an order. It cannot be undone, so it takes two taps. */
export function GiveTicketsBack({ order, event, club, tickets }: Props) {
  const giveBack = useSend(orderApi.giveBackTickets)
  const { refresh } = useRenderedPage()
  const isRunning = useIsRunning()
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [isAsked, setAsked] = useState(false)
  const isOver = useNow() >= event.endsAt
  const offered = tickets.filter(
    ({ registration, checkin }) => (registration.amount === 0 || registration.status === 'pending') && !checkin?.status,
  )
  const wanted = offered.map(({ registration }) => registration).filter(({ id }) => chosen.has(id))
  const ids = wanted.map(({ id }) => id)
  const names = wanted.map(({ registrationData }) => registrationData.name).join(', ')
  const hasPaid = tickets.some(({ registration }) => registration.status === 'confirmed' && registration.amount > 0)
  if ((offered.length === 0 && !hasPaid) || isOver) return null
  const send = async () => {
    try {
      const returned = await giveBack.send({
        payload: { orderId: order.id, secret: order.secret, registrationIds: ids },
      })
      // Before anything that takes time: a second tap would ask for the same ones again.
      setAsked(false)
      // This device may have stored them.
      for (const { id: registrationId, qrUuid } of returned)
        await dropTicket(toRequest(ticketApi.getRegistration, { registrationId, qrUuid }).url).catch(() => {})
    } catch (error) {
      // It has been shown. Another tab may have given some of them back.
      if (!(error instanceof Refusal)) throw error
    }
    // This part of the page changes, and the focus would be lost with it.
    document.getElementById('main')?.focus()
    setChosen(new Set())
    setAsked(false)
    refresh().catch(() => {})
  }
  const toggle = (id: number, isChosen: boolean) => {
    const next = new Set(chosen)
    if (isChosen) next.add(id)
    else next.delete(id)
    setChosen(next)
    setAsked(false)
  }
  return (
    <details className="card fold needs-script">
      <summary>
        {texts.cannotCome()}
        <span className="icon chevron-right" aria-hidden="true" />
      </summary>
      {hasPaid && (
        <p>
          {texts.paidStays({ club: club.name })} <WriteToClub event={event} club={club} />
        </p>
      )}
      {offered.length > 0 && (
        <>
          {/* A choice made before script runs would be lost. */}
          <fieldset className="field" disabled={!isRunning}>
            <legend>{texts.whoCannotCome()}</legend>
            {offered.map(({ registration: { id, registrationData } }) => (
              <label className="choice" key={id}>
                <input type="checkbox" checked={chosen.has(id)} onChange={({ target }) => toggle(id, target.checked)} />
                <span>{registrationData.name}</span>
              </label>
            ))}
          </fieldset>
          <p className="muted small">{texts.goesToOthers({ club: club.name })}</p>
          {isAsked ? (
            <InlineConfirmation
              question={texts.giveBackQuestion({ count: ids.length, names })}
              no={texts.keepThem()}
              yes={texts.yesGiveBack()}
              isSending={giveBack.isPending}
              onNo={() => setAsked(false)}
              onYes={() => void send()}
            />
          ) : (
            <button type="button" className="button" disabled={ids.length === 0} onClick={() => setAsked(true)}>
              {texts.giveBack({ count: ids.length })}
            </button>
          )}
        </>
      )}
    </details>
  )
}
