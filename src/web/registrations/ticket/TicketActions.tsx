import { type MouseEvent, useRef, useState } from 'react'
import { Refusal } from '../../../contract/errors.ts'
import { ticketApi } from '../../../contract/tickets.ts'
import { ticketUrl } from '../../../contract/values/ticket-codes.ts'
import { toRequest } from '../../../contract/wire.ts'
import * as texts from '../../../texts/generated/ticket.ts'
import { download } from '../../api/download.ts'
import { useSend } from '../../api/use-send.ts'
import { useRenderedPage } from '../../rendered-page.ts'
import { baseUrl } from '../../site.ts'
import { takeFocus } from '../../ui/buttons/take-focus.ts'
import { codePicture } from '../../ui/codes/code-picture.ts'
import { contactLink } from '../../ui/contact-link.ts'
import { saveFile } from '../../ui/save-file.ts'
import { useNow } from '../../ui/use-now.ts'
import { useOpenedBefore } from '../../ui/use-opened-before.ts'
import { forgetTicket } from './forget-ticket.ts'
import { isUsed, type Ticket } from './ticket.ts'

/** The actions of the holder of a valid ticket. The files are links, which work without JavaScript too. */
export function TicketActions({ ticket }: { ticket: Ticket }) {
  const { registration, event } = ticket
  const holder = { registrationId: registration.id, qrUuid: registration.qrUuid }
  if (registration.status !== 'confirmed' || event.status === 'cancelled') return null
  const { getTicketPdf, getCalendarFile } = ticketApi
  const keep = (click: MouseEvent, endpoint: typeof getTicketPdf | typeof getCalendarFile) => {
    // Opened in a new tab or window, it is a link like any other.
    if (click.ctrlKey || click.metaKey || click.shiftKey) return
    click.preventDefault()
    // A refusal has been shown by the download itself.
    void download(endpoint, holder).catch(() => {})
  }
  const text = texts.ticketFor({ event: event.name, url: ticketUrl(baseUrl(), registration) })
  const savePicture = async () => {
    const picture = await codePicture(ticketUrl(baseUrl(), registration))
    if (picture) saveFile(picture, `ticket-${registration.id}.png`)
  }
  return (
    <div className="ticket-actions">
      <a
        className={isUsed(ticket) ? 'button quiet' : 'button'}
        href={toRequest(getCalendarFile, holder).url}
        rel="nofollow"
        aria-label={texts.addToCalendar()}
        onClick={(click) => keep(click, getCalendarFile)}
      >
        <span className="icon calendar-plus" aria-hidden="true" />
        {texts.calendar()}
      </a>
      <a
        className="button quiet"
        href={toRequest(getTicketPdf, holder).url}
        rel="nofollow"
        onClick={(click) => keep(click, getTicketPdf)}
      >
        <span className="icon file-type-pdf" aria-hidden="true" />
        {texts.saveAsPdf()}
      </a>
      <button type="button" className="button quiet needs-script" onClick={() => void savePicture()}>
        <span className="icon qrcode" aria-hidden="true" />
        {texts.saveTheCode()}
      </button>
      <a
        className="button quiet"
        href={contactLink('', text)}
        target="_blank"
        rel="noopener noreferrer"
        aria-label={texts.shareOnWhatsApp()}
      >
        <span className="icon share" aria-hidden="true" />
        {texts.share()}
      </a>
    </div>
  )
}

/** Returns the ticket; the link in the mail leads here too. It cannot be undone, so it takes two taps. */
export function GiveBack({ ticket }: { ticket: Ticket }) {
  const { registration, event, checkin, club } = ticket
  const giveBack = useSend(ticketApi.giveBack)
  const { refresh } = useRenderedPage()
  const [isOpen, setOpen] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const [wasKept, setKept] = useState(false)
  const isOver = useNow() >= event.endsAt || event.status === 'cancelled'
  const details = useRef<HTMLDetailsElement>(null)
  useOpenedBefore(details, () => setOpen(true))
  const send = async () => {
    if (giveBack.isPending) return
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
    <details
      ref={details}
      id="give-back"
      className="card fold needs-script"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        {texts.cannotCome()}
        <span className="icon chevron-right" aria-hidden="true" />
      </summary>
      {registration.amount > 0 ? (
        <p>{texts.paidTicket({ club: club.name })}</p>
      ) : (
        <>
          <p>{club.email === '' ? texts.giveBack() : texts.giveBackTold({ club: club.name })}</p>
          {isAsked ? (
            <fieldset className="plain">
              <legend>{texts.giveBackQuestion()}</legend>
              <p className="row">
                {/* In the place of the first button and with the focus, so that a second tap by mistake changes nothing. */}
                <button
                  type="button"
                  className="button quiet"
                  ref={takeFocus}
                  onClick={() => {
                    setAsked(false)
                    setKept(true)
                  }}
                >
                  {texts.keepMyPlace()}
                </button>
                <button type="button" className="button" aria-disabled={giveBack.isPending} onClick={() => void send()}>
                  {texts.yesGiveItBack()}
                </button>
              </p>
            </fieldset>
          ) : (
            <button type="button" className="button" ref={wasKept ? takeFocus : null} onClick={() => setAsked(true)}>
              {texts.giveMyPlaceBack()}
            </button>
          )}
        </>
      )}
    </details>
  )
}
