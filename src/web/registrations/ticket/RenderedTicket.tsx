import { useEffect } from 'react'
import { keepOffline } from '../../offline/keep-offline.ts'
import { OrderPage } from '../../orders/OrderPage.tsx'
import type { TicketData } from '../../rendering/page-data.ts'
import { NoTicket } from './NoTicket.tsx'
import { TicketView } from './TicketView.tsx'
import type { Ticket } from './ticket.ts'
import { useKept } from './use-kept.ts'
import { VoucherView } from './VoucherView.tsx'

/** The page of a ticket, a voucher or an order, as the server renders it. */
export function RenderedTicket({ data }: { data: TicketData }) {
  switch (data.page) {
    case 'ticket':
      return <KeptTicket {...data} />
    case 'voucher':
      return <KeptVoucher {...data} />
    case 'order':
      return <OrderPage {...data} />
    case 'no ticket':
      return <NoTicket {...data} />
  }
}

function KeptTicket({ ticket, goesToBank }: { ticket: Ticket; goesToBank: boolean }) {
  const kept = useKept(ticket.registration.id, ticket.registration.qrUuid)
  return <TicketView ticket={ticket} goesToBank={goesToBank} kept={kept} />
}

function KeptVoucher({ voucher }: Extract<TicketData, { page: 'voucher' }>) {
  // Its link also opens what this device has stored without network.
  useEffect(() => void keepOffline('ticket'), [])
  return <VoucherView voucher={voucher} />
}
