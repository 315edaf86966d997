import { Button } from '@mantine/core'
import { useEffect } from 'react'
import { Navigate, useParams } from 'react-router'
import { Refusal } from '../../contract/errors.ts'
import * as texts from '../../texts/generated/door.ts'
import { homeOfPass } from '../passes/pass-home.ts'
import { readId } from '../read-id.ts'
import { useMay } from '../session/may.ts'
import { useOwner } from '../session/owner.ts'
import { Loading } from '../ui/Loading.tsx'
import { useWakeLock } from '../ui/use-wake-lock.ts'
import { noteLastDoor } from './phone/last-door.ts'
import { useDoor } from './phone/use-door.ts'
import { allowSound } from './screens/feedback.ts'
import { TicketScanner } from './screens/TicketScanner.tsx'
import { VoucherScanner } from './screens/VoucherScanner.tsx'

/** The scanner of an event's tickets or vouchers, with network and without. */
export function ScannerPage() {
  const { eventId, variant } = useParams()
  const may = useMay()
  const { user } = useOwner()
  if (variant !== 'main' && variant !== 'voucher') throw new Refusal('NOT_FOUND')
  // A helper pass may be for one of the two only. One that has ended while it is open says so on this page.
  if (may('door') && !may(variant === 'main' ? 'tickets' : 'redeem')) return <Navigate to={homeOfPass(user)} replace />
  return <EventScanner key={`${eventId} ${variant}`} eventId={readId(eventId)} variant={variant} />
}

function EventScanner({ eventId, variant }: { eventId: number; variant: 'main' | 'voucher' }) {
  const { door, isElsewhere, opensOffline, takeOver } = useDoor(eventId)
  useWakeLock()
  useEffect(allowSound, [])
  useEffect(() => noteLastDoor(eventId), [eventId])
  if (isElsewhere)
    return (
      <div className="page narrow">
        <h1>{texts.otherTabHeading()}</h1>
        <p>{texts.otherTabText()}</p>
        <Button size="md" onClick={takeOver}>
          {texts.takeItHere()}
        </Button>
      </div>
    )
  if (!door) return <Loading />
  const Scanner = variant === 'main' ? TicketScanner : VoucherScanner
  return <Scanner door={door} opensOffline={opensOffline} />
}
