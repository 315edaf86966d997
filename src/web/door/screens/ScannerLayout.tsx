import { Button, Group } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import * as texts from '../../../texts/generated/door.ts'
import { useMay } from '../../session/may.ts'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { Camera } from '../camera/Camera.tsx'
import { ConflictDialog } from '../dialogs/ConflictList.tsx'
import { DoorSettings } from '../dialogs/DoorSettings.tsx'
import { StuckDialog } from '../dialogs/StuckScans.tsx'
import { type Door, type DoorView, type ScannedBy, serverNow, setDevice } from '../phone/door.ts'
import { useDoorView } from '../phone/use-door.ts'
import { PracticeBanner } from '../practice/PracticeBanner.tsx'
import { PracticeList } from '../practice/PracticeList.tsx'
import { useReports } from '../report/use-reports.ts'
import { ClosedDoor } from './ClosedDoor.tsx'
import { DoorHeader } from './DoorHeader.tsx'
import { FindGuest } from './FindGuest.tsx'
import { OthersOfOrder } from './OthersOfOrder.tsx'
import { RecentScans } from './RecentScans.tsx'
import styles from './ScannerLayout.module.css'
import { useKeyboardScanner } from './use-keyboard-scanner.ts'
import type { Shown } from './use-scan-queue.ts'
import { type Typing, useFocusRestore, useTyping } from './use-typing.ts'
import { VerdictScreen } from './VerdictScreen.tsx'

type Dialog = 'settings' | 'walk-in' | 'conflicts' | 'stuck'

/** The state of the page around a scanner. */
export interface ScannerFrame {
  view: DoorView
  typing: Typing
  /** The dialog that is open. */
  dialog: Dialog | null
  open: (dialog: Dialog) => void
  close: () => void
  /** Whether the camera's codes are ignored, because a dialog is open or somebody types. */
  isPaused: boolean
}

export function useScannerFrame(door: Door): ScannerFrame {
  const view = useDoorView(door)
  const [dialog, open] = useState<Dialog | null>(null)
  const typing = useTyping()
  return { view, typing, dialog, open, close: () => open(null), isPaused: dialog !== null || typing.isTyping }
}

/** How a scanner handles codes. */
interface Scanner {
  shown: Shown | null
  isBusy: boolean
  /** Takes a code that was typed, or read by a keyboard scanner. */
  scan: (code: string, by: ScannedBy) => void
  /** Takes a code that the camera sees, again for every picture. */
  see: (code: string) => void
  clear: () => void
}

interface Props {
  door: Door
  opensOffline: boolean
  variant?: 'main' | 'voucher'
  frame: ScannerFrame
  scanner: Scanner
  /** Called when somebody is chosen in the search, or among the others of an order. */
  onPick: (ticketId: number) => void
  /** Called when all others of an order are to be let in. */
  onPickAll?: (ticketIds: readonly number[]) => void
  /** Whether a dialog of the scanner's own covers the page. */
  isCovered?: boolean
  /** The scanner's own choice above the camera; not during practice. */
  above?: ReactNode
  /** The scanner's own buttons below the camera. */
  actions?: ReactNode
  /** The scanner's own dialogs. */
  children?: ReactNode
}

/** The layout of both scanners: header, camera, search, the latest scans, the verdict over the whole screen, and the dialogs. */
export function ScannerLayout({
  door,
  opensOffline,
  variant = 'main',
  frame,
  scanner,
  onPick,
  onPickAll,
  isCovered,
  ...own
}: Props) {
  const { view, typing, dialog, open, close } = frame
  const { shown, isBusy, scan, see, clear } = scanner
  const field = useRef<HTMLInputElement>(null)
  const focus = useFocusRestore(shown !== null || isCovered === true, field)
  const may = useMay()
  useKeyboardScanner((code) => scan(code, 'scanner'))
  // Nobody types an address: a keyboard scanner wrote it into the field.
  const scanTyped = (code: string) => scan(code, /^https?:/i.test(code) ? 'scanner' : 'hand')
  const setCamera = useReports(door, opensOffline)
  if (view.isGone) return <ClosedDoor queued={view.queued} />
  const { list } = view
  const conflicts = list?.conflicts ?? 0
  const isMain = variant === 'main'
  const isPractice = view.practice !== null
  const name = isMain ? texts.scanner() : texts.voucherScanner()
  return (
    <div className={`whole-screen ${styles.door}`}>
      <PageTitle
        title={list ? (isMain ? texts.scannerOf : texts.voucherScannerOf)({ event: list.event.name }) : name}
      />
      <DoorHeader {...{ door, view, opensOffline, variant }} onStuck={() => open('stuck')} />
      {isPractice && <PracticeBanner door={door} />}
      {/* A verdict over it must not interrupt typing a name. */}
      <div className={styles.parts} inert={shown !== null && typing.text === ''} {...focus}>
        <div>
          {!isPractice && own.above}
          <Camera
            chosen={view.device.camera}
            onChoose={(camera) => setDevice(door, { camera })}
            isBusy={isBusy}
            isTyping={typing.isTyping}
            onStopTyping={typing.text === '' ? null : () => typing.setText('')}
            onCode={see}
            onState={setCamera}
          />
          <Group gap="xs">
            {!isPractice && own.actions}
            <Button variant="light" size="md" onClick={() => open('settings')}>
              {texts.settings()}
            </Button>
            {!isPractice && conflicts > 0 && may('read') && (
              <Button color="red" variant="light" size="md" onClick={() => open('conflicts')}>
                {texts.conflicts({ count: conflicts })}
              </Button>
            )}
          </Group>
        </div>
        <div>
          {isPractice ? (
            <PracticeList door={door} />
          ) : (
            <>
              <FindGuest {...{ door, view, isBusy, typing, field, variant }} onCode={scanTyped} onLetIn={onPick} />
              <RecentScans {...{ door, view, variant }} />
            </>
          )}
        </div>
      </div>
      {own.children}
      <VerdictScreen shown={shown} now={serverNow(door)} onClear={clear}>
        {shown && shown.others.length > 0 && onPickAll && (
          <OthersOfOrder list={list} others={shown.others} onLetIn={onPick} onLetAllIn={onPickAll} />
        )}
      </VerdictScreen>
      {dialog === 'stuck' && <StuckDialog door={door} view={view} onClose={close} />}
      {dialog === 'settings' && <DoorSettings door={door} view={view} opensOffline={opensOffline} onClose={close} />}
      {dialog === 'conflicts' && list && <ConflictDialog event={list.event} onClose={close} />}
    </div>
  )
}
