import { useSuspenseQuery } from '@tanstack/react-query'
import { Suspense, useEffect } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { Refusal } from '../../../contract/errors.ts'
import { redemptionApi } from '../../../contract/redemptions.ts'
import { useLastSeen } from '../../api/last-seen.ts'
import { query } from '../../api/query.ts'
import { ClubColours } from '../../layouts/ClubColours.tsx'
import { keepOffline } from '../../offline/keep-offline.ts'
import type { Kept } from '../../offline/keep-ticket.ts'
import { readId } from '../../read-id.ts'
import { ticketIn, voucherIn } from '../../rendering/own-words.ts'
import { ErrorBoundary, type FallbackProps } from '../../ui/ErrorBoundary.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { useOnline } from '../../ui/use-online.ts'
import { isNoTicket } from './is-no-ticket.ts'
import { NoTicket } from './NoTicket.tsx'
import { TicketView } from './TicketView.tsx'
import { readTicketSearch } from './ticket.ts'
import { ticketQuery } from './ticket-query.ts'
import { useKept } from './use-kept.ts'
import { VoucherView } from './VoucherView.tsx'
import { whyNoTicket } from './why-no-ticket.ts'

/** The page of a ticket or voucher on a device that has stored the files for it, so that it opens without network. Otherwise the server renders it. */
export function TicketPage() {
  const { id: idText, qrUuid = '' } = useParams()
  const { isVoucher, goesToBank } = readTicketSearch(useSearchParams()[0])
  const id = readId(idText)
  return isVoucher ? (
    <StoredVoucher key={id} id={id} qrUuid={qrUuid} />
  ) : (
    <StoredTicket key={id} id={id} qrUuid={qrUuid} goesToBank={goesToBank} />
  )
}

interface Stored {
  id: number
  qrUuid: string
}

function StoredTicket({ id, qrUuid, goesToBank }: Stored & { goesToBank: boolean }) {
  const kept = useKept(id, qrUuid)
  return (
    <ErrorBoundary FallbackComponent={Missing}>
      <Suspense fallback={<Loading />}>
        <ReadTicket id={id} qrUuid={qrUuid} goesToBank={goesToBank} kept={kept} />
      </Suspense>
    </ErrorBoundary>
  )
}

interface Read {
  error: Refusal | null
  refetch: () => Promise<unknown>
}

/** How long a page that shows what the device has stored waits before it asks again. */
const ASK_AGAIN_MS = 10_000

/**
 * Reads a ticket or voucher that the device has stored again once there is a network, until the server answers: right after the browser says
 * that there is one, it may not be there yet. What turns out to be void is no longer shown; after any other failure it stays.
 */
function useReadAgain({ error, refetch }: Read): void {
  const isOnline = useOnline()
  const isStored = useLastSeen() !== null
  useEffect(() => {
    if (!isOnline || !isStored) return
    void refetch()
    const timer = setInterval(() => void refetch(), ASK_AGAIN_MS)
    return () => clearInterval(timer)
  }, [isOnline, isStored, refetch])
  if (error !== null && isNoTicket(error)) throw error
}

function ReadTicket({ id, qrUuid, goesToBank, kept }: Stored & { goesToBank: boolean; kept: Kept }) {
  const { data: ticket, ...read } = useSuspenseQuery(ticketQuery({ registrationId: id, qrUuid }))
  useReadAgain(read)
  return (
    <>
      <ClubColours colour={ticket.club.colour} />
      <TicketView ticket={ticketIn(ticket)} goesToBank={goesToBank} kept={kept} />
    </>
  )
}

function StoredVoucher({ id, qrUuid }: Stored) {
  useEffect(() => void keepOffline('ticket'), [])
  return (
    <ErrorBoundary FallbackComponent={Missing}>
      <Suspense fallback={<Loading />}>
        <ReadVoucher id={id} qrUuid={qrUuid} />
      </Suspense>
    </ErrorBoundary>
  )
}

function ReadVoucher({ id, qrUuid }: Stored) {
  const latest = query(redemptionApi.getVoucher, { extrasPurchaseId: id, qrUuid }, { saysMissing: true })
  const { data, ...read } = useSuspenseQuery(latest)
  useReadAgain(read)
  return <VoucherView voucher={voucherIn(data)} />
}

/** Shown for a link to no ticket. All other failures are shown as on every page. */
function Missing({ error }: FallbackProps) {
  if (!(error instanceof Refusal) || !isNoTicket(error)) throw error
  return <NoTicket {...whyNoTicket(error)} />
}
