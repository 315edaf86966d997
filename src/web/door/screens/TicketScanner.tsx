import { Button } from '@mantine/core'
import { ticketUrl } from '../../../contract/values/ticket-codes.ts'
import * as texts from '../../../texts/generated/door.ts'
import { useMay } from '../../session/may.ts'
import { baseUrl } from '../../site.ts'
import { useWalkInQuestions, WalkIn } from '../dialogs/WalkIn.tsx'
import type { Door } from '../phone/door.ts'
import { ScannerLayout, useScannerFrame } from './ScannerLayout.tsx'
import { useScans } from './use-scans.ts'

/** The scanner of tickets: each valid ticket is let in once. */
export function TicketScanner({ door, opensOffline }: { door: Door; opensOffline: boolean }) {
  const frame = useScannerFrame(door)
  const { view, dialog, open, close, isPaused } = frame
  const scanner = useScans(door, isPaused)
  useWalkInQuestions(view)
  const isOnline = view.connection === 'online'
  const may = useMay()
  const addSomebody = may('walk-ins') && (
    <Button
      variant="light"
      size="md"
      disabled={!isOnline}
      title={isOnline ? undefined : texts.onlyWithNetwork()}
      onClick={() => open('walk-in')}
    >
      {texts.addSomebody()}
    </Button>
  )
  return (
    <ScannerLayout
      {...{ door, opensOffline, frame, scanner }}
      onPick={scanner.letIn}
      onPickAll={scanner.letAllIn}
      actions={addSomebody}
    >
      {dialog === 'walk-in' && view.list && (
        <WalkIn
          event={view.list.event}
          onClose={close}
          onSaved={(registration) => scanner.scan(ticketUrl(baseUrl(), registration), 'hand')}
        />
      )}
    </ScannerLayout>
  )
}
