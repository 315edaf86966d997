import { useState } from 'react'
import { Refusal } from '../../../../contract/errors.ts'
import { ticketApi } from '../../../../contract/tickets.ts'
import * as texts from '../../../../texts/generated/ticket.ts'
import { useSend } from '../../../api/use-send.ts'
import { useRenderedPage } from '../../../rendered-page.ts'
import { InlineConfirmation } from '../../../ui/buttons/InlineConfirmation.tsx'
import { takeFocus } from '../../../ui/buttons/take-focus.ts'
import { useNow } from '../../../ui/use-now.ts'
import type { Ticket } from '../ticket.ts'
import { forgetTicket } from './forget-ticket.ts'
import { TicketFold } from './TicketFold.tsx'

/** Returns the ticket; the link in the mail leads here too. It cannot be undone, so it takes two taps. */
export function GiveBack({ ticket }: { ticket: Ticket }) {
  const { registration, event, checkin, club } = ticket
  const giveBack = useSend(ticketApi.giveBack)
  const { refresh } = useRenderedPage()
  const [isOpen, setOpen] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const [wasKept, setKept] = useState(false)
  const isOver = useNow() >= event.endsAt || event.status === 'cancelled'
  const send = async () => {
    try {
      await giveBack.send({ payload: { registrationId: registration.id, qrUuid: registration.qrUuid } })
    } catch (error) {
      // It has been shown.
      if (error instanceof Refusal) return
      throw error
    }
    // This part of the page disappears, and the focus would be lost with it.
    document.getElementById('main')?.focus()
    await forgetTicket(registration)
    refresh().catch(() => {})
  }
  if (registration.status !== 'confirmed' || checkin?.status || isOver) return null
  // Until the ticket has been read again.
  if (giveBack.isSuccess)
    return (
      <p role="status" className="hint">
        {texts.placeGivenBack()}
      </p>
    )
  return (
    <TicketFold id="give-back" title={texts.cannotCome()} isOpen={isOpen} onToggle={setOpen}>
      {registration.amount > 0 ? (
        <p>{texts.paidTicket({ club: club.name })}</p>
      ) : (
        <>
          <p>{club.email === '' ? texts.giveBack() : texts.giveBackTold({ club: club.name })}</p>
          {isAsked ? (
            <InlineConfirmation
              question={texts.giveBackQuestion()}
              no={texts.keepMyPlace()}
              yes={texts.yesGiveItBack()}
              isSending={giveBack.isPending}
              onNo={() => {
                setAsked(false)
                setKept(true)
              }}
              onYes={() => void send()}
            />
          ) : (
            <button type="button" className="button" ref={wasKept ? takeFocus : null} onClick={() => setAsked(true)}>
              {texts.giveMyPlaceBack()}
            </button>
          )}
        </>
      )}
    </TicketFold>
  )
}
