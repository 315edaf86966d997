import type { MouseEvent } from 'react'
import { ticketApi } from '../../../contract/tickets.ts'
import { ticketUrl } from '../../../contract/values/ticket-codes.ts'
import { toRequest } from '../../../contract/wire.ts'
import * as texts from '../../../texts/generated/ticket.ts'
import { download } from '../../api/download.ts'
import { baseUrl } from '../../site.ts'
import { codePicture } from '../../ui/codes/code-picture.ts'
import { contactLink } from '../../ui/contact-link.ts'
import { saveFile } from '../../ui/save-file.ts'
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
