import { Button } from '@mantine/core'
import { ticketUrl } from '../../../contract/values/ticket-codes.ts'
import * as texts from '../../../texts/generated/door.ts'
import { useMay } from '../../session/may.ts'
import { baseUrl } from '../../site.ts'
import { WalkIn } from '../dialogs/WalkIn.tsx'
import type { Door } from '../phone/door.ts'
import { canAddAlone } from '../walk-ins/save-at-door.ts'
import { placesLeft } from '../walk-ins/walk-ins.ts'
import { ScannerLayout, useScannerFrame } from './ScannerLayout.tsx'
import styles from './TicketScanner.module.css'
import { useScans } from './use-scans.ts'

/** The scanner of tickets: each valid ticket is let in once. */
export function TicketScanner({ door, opensOffline }: { door: Door; opensOffline: boolean }) {
  const frame = useScannerFrame(door)
  const { view, dialog, open, close, isPaused } = frame
  const scanner = useScans(door, isPaused)
  const isOnline = view.connection === 'online'
  const may = useMay()
  const left = view.walkIns && placesLeft(view.walkIns)
  const addSomebody = may('walk-ins') && (
    <>
      <Button
        variant="light"
        size="md"
        disabled={!isOnline && !canAddAlone(view)}
        title={isOnline ? undefined : texts.onlyWithNetwork()}
        onClick={() => open('walk-in')}
      >
        {texts.addSomebody()}
      </Button>
      {!isOnline && view.walkIns?.quota.isLimited && (
        <span className={`muted small ${styles.places}`}>{texts.placesOnPhone({ count: left ?? 0 })}</span>
      )}
    </>
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
          door={door}
          event={view.list.event}
          isOffline={!isOnline}
          onClose={close}
          onSaved={(registration, name) =>
            registration ? scanner.scan(ticketUrl(baseUrl(), registration), 'hand') : scanner.showAdded(name)
          }
        />
      )}
    </ScannerLayout>
  )
}
