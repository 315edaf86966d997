import { Button, Group, TextInput } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Navigate, useParams } from 'react-router'
import { checkinApi } from '../../contract/checkins.ts'
import { Refusal } from '../../contract/errors.ts'
import { type Event, eventApi } from '../../contract/events.ts'
import { query, useCall } from '../api/call.ts'
import { newScanId } from '../door/new-scan-id.ts'
import { paths } from '../paths.ts'
import { readId } from '../read-id.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { Camera } from './Camera.tsx'
import { VerdictBox } from './VerdictBox.tsx'
import type { Verdict } from './verdict.ts'
import { verdictOf } from './verdict.ts'

/** The door: a code by camera, by scanner or typed, and whether its holder comes in. */
export function ScannerPage() {
  const { eventId, variant } = useParams()
  // Vouchers have no scanner of their own in this version.
  if (variant !== 'main') return <Navigate to={paths.notFound()} replace />
  return <TicketScanner eventId={readId(eventId)} />
}

function TicketScanner({ eventId }: { eventId: number }) {
  const { data: event } = useSuspenseQuery(query(eventApi.getEvent, { eventId }))
  const { verdict, busy, scan } = useScan(event)
  const [code, setCode] = useState('')
  return (
    <div className="page narrow">
      <PageTitle title={`Scanner: ${event.name}`} />
      <h1>{event.name}</h1>
      <p className="muted">{event.registrationCount} registered. Hold a ticket before the camera, or type its code.</p>
      <Camera onCode={scan} />
      <div aria-live="assertive" aria-busy={busy}>
        {verdict && <VerdictBox verdict={verdict} />}
      </div>
      <form
        className="card"
        onSubmit={(submit) => {
          submit.preventDefault()
          if (code.trim() !== '') scan(code.trim(), true)
          setCode('')
        }}
      >
        <Group align="end">
          <TextInput
            label="Code"
            description="As printed below the QR code, such as 42-9F3A1C7B, or the ticket's address"
            autoComplete="off"
            value={code}
            onChange={(change) => setCode(change.currentTarget.value)}
            style={{ flex: 1, minWidth: '14rem' }}
          />
          <Button type="submit" loading={busy}>
            Check in
          </Button>
        </Group>
      </form>
    </div>
  )
}

/** The same code stays before the camera for many frames; within this time that is one scan. */
const SAME_CODE_MS = 4_000

function useScan(event: Event) {
  const call = useCall(checkinApi.scanByRegistrationId, { quiet: true })
  const [verdict, setVerdict] = useState<Verdict | null>(null)
  const last = useRef({ code: '', at: 0, busy: false })
  /** A scan whose answer did not come: the same code again is the same scan, and gets that answer. */
  const unanswered = useRef<{ code: string; scanId: string } | null>(null)

  function scan(qrCodeData: string, typed = false): void {
    const now = Date.now()
    const { code, at, busy } = last.current
    if (busy) return
    if (!typed && code === qrCodeData && now - at < SAME_CODE_MS) {
      // Still held before the camera: the time counts from when it was last seen.
      last.current.at = now
      return
    }
    last.current = { code: qrCodeData, at: now, busy: true }
    setVerdict(null)
    const scanId = unanswered.current?.code === qrCodeData ? unanswered.current.scanId : newScanId()
    unanswered.current = { code: qrCodeData, scanId }
    const payload = { qrCodeData, eventId: event.id, scanId, scannedAt: new Date(now) }
    call
      .mutateAsync({ payload })
      .then((answer) => {
        unanswered.current = null
        setVerdict(verdictOf(answer, event))
      })
      .catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error
        if (error.status < 500) unanswered.current = null
        setVerdict(verdictOf(error, event))
      })
      .finally(() => {
        last.current = { code: qrCodeData, at: Date.now(), busy: false }
      })
  }
  return { verdict, busy: call.isPending, scan }
}
