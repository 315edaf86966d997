import { Button } from '@mantine/core'
import { useEffect } from 'react'
import { ticketUrl } from '../../../contract/values/ticket-codes.ts'
import * as texts from '../../../texts/generated/door.ts'
import * as exitTexts from '../../../texts/generated/exits.ts'
import * as walkInTexts from '../../../texts/generated/walkIns.ts'
import { useMay } from '../../session/may.ts'
import { baseUrl } from '../../site.ts'
import { Segments } from '../../ui/forms/Segments.tsx'
import { WalkIn } from '../dialogs/WalkIn.tsx'
import { type Door, setDirection } from '../phone/door.ts'
import { canAddAlone } from '../walk-ins/save-at-door.ts'
import { placesLeft, takenBackWalkIns } from '../walk-ins/walk-ins.ts'
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
  const takenBack = takenBackWalkIns(door.queue).length
  const allowsReentry = view.list?.event.allowsReentry ?? false
  useEffect(() => {
    // Switched off while the scanner is open.
    if (!allowsReentry && view.direction === 'out') setDirection(door, 'in')
  }, [door, allowsReentry, view.direction])
  const addSomebody = may('walk-ins') && view.direction === 'in' && (
    <>
      <Button
        variant="light"
        size="md"
        disabled={!isOnline && !canAddAlone(view)}
        title={isOnline || canAddAlone(view) ? undefined : texts.onlyWithNetwork()}
        onClick={() => open('walk-in')}
      >
        {texts.addSomebody()}
      </Button>
      {view.walkIns?.quota.isLimited && (!isOnline || left !== 0) && (
        <span className={`muted small ${styles.places}`}>
          {(isOnline ? walkInTexts.phoneKeeps : walkInTexts.placesOnPhone)({ count: left ?? 0 })}
        </span>
      )}
      {view.walkIns?.quota.isLimited && !isOnline && takenBack > 0 && (
        <span className={`muted small ${styles.places}`}>{walkInTexts.freeWithNetwork({ count: takenBack })}</span>
      )}
    </>
  )
  return (
    <ScannerLayout
      {...{ door, opensOffline, frame, scanner }}
      onPick={scanner.letIn}
      onPickAll={scanner.letAllIn}
      actions={addSomebody}
      above={
        allowsReentry && (
          <Segments
            label={exitTexts.direction()}
            options={[
              { value: 'in', label: exitTexts.directionIn() },
              { value: 'out', label: exitTexts.directionOut() },
            ]}
            value={view.direction}
            onChange={(direction) => setDirection(door, direction)}
          />
        )
      }
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
