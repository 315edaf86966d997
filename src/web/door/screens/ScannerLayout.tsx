import { Button, Group } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { Camera } from '../camera/Camera.tsx'
import { type Door, type DoorView, setDevice } from '../phone/door.ts'
import { useDoorView } from '../phone/use-door.ts'
import { ClosedDoor } from './ClosedDoor.tsx'
import { ConflictDialog } from './ConflictList.tsx'
import { DoorHeader } from './DoorHeader.tsx'
import { DoorSettings } from './DoorSettings.tsx'
import { FindGuest } from './FindGuest.tsx'
import { RecentScans } from './RecentScans.tsx'
import { StuckDialog } from './StuckScans.tsx'
import { useKeyboardScanner } from './use-keyboard-scanner.ts'
import type { Shown } from './use-turns.ts'
import { type Typing, useFocusBack, useTyping } from './use-typing.ts'
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
  /** A dialog is open or somebody types: codes before the camera are passed over. */
  isPaused: boolean
}

export function useScannerFrame(door: Door): ScannerFrame {
  const view = useDoorView(door)
  const [dialog, open] = useState<Dialog | null>(null)
  const typing = useTyping()
  return { view, typing, dialog, open, close: () => open(null), isPaused: dialog !== null || typing.isTyping }
}

/** What a scanner makes of the codes it is given. */
interface Scanner {
  shown: Shown | null
  isBusy: boolean
  /** A code that was typed, or read by a scanner that speaks as a keyboard. */
  scan: (code: string) => void
  /** A code before the camera, told again with every picture. */
  see: (code: string) => void
  clear: () => void
}

interface Props {
  door: Door
  isKept: boolean
  variant?: 'main' | 'voucher'
  frame: ScannerFrame
  scanner: Scanner
  /** Somebody was chosen in the search. */
  onPick: (ticketId: number) => void
  /** Something of the scanner's own lies over the page. */
  isCovered?: boolean
  /** The scanner's own buttons below the camera. */
  actions?: ReactNode
  /** The scanner's own dialogs. */
  children?: ReactNode
}

/** What both scanners share: header, camera, search, the latest scans, the verdict over all of it, and the dialogs. */
export function ScannerLayout({ door, isKept, variant = 'main', frame, scanner, onPick, isCovered, ...own }: Props) {
  const { view, typing, dialog, open, close } = frame
  const { shown, isBusy, scan, see, clear } = scanner
  const field = useRef<HTMLInputElement>(null)
  const focus = useFocusBack(shown !== null || isCovered === true, field)
  useKeyboardScanner(scan)
  if (view.isGone) return <ClosedDoor />
  const { list } = view
  const conflicts = list?.conflicts ?? 0
  const name = variant === 'main' ? 'Scanner' : 'Voucher scanner'
  return (
    <div className="door">
      <PageTitle title={list ? `${name}: ${list.event.name}` : name} />
      <DoorHeader {...{ door, view, isKept, variant }} onStuck={() => open('stuck')} />
      {/* A name that is half typed is not cut off, whatever is shown over it. */}
      <div className="door-parts" inert={shown !== null && typing.text === ''} {...focus}>
        <div>
          <Camera
            chosen={view.device.camera}
            onChoose={(camera) => setDevice(door, { camera })}
            isBusy={isBusy}
            isTyping={typing.isTyping}
            onStopTyping={typing.text === '' ? null : () => typing.setText('')}
            onCode={see}
          />
          <Group className="door-actions" gap="xs">
            {own.actions}
            <Button variant="light" size="md" onClick={() => open('settings')}>
              Settings
            </Button>
            {conflicts > 0 && (
              <Button color="red" variant="light" size="md" onClick={() => open('conflicts')}>
                {conflicts === 1 ? '1 conflict' : `${conflicts} conflicts`}
              </Button>
            )}
          </Group>
        </div>
        <div>
          <FindGuest {...{ door, view, isBusy, typing, field, variant }} onCode={scan} onLetIn={onPick} />
          <RecentScans {...{ door, view, variant }} />
        </div>
      </div>
      {own.children}
      <VerdictScreen shown={shown} onClear={clear} />
      {dialog === 'stuck' && <StuckDialog door={door} view={view} onClose={close} />}
      {dialog === 'settings' && <DoorSettings door={door} view={view} isKept={isKept} onClose={close} />}
      {dialog === 'conflicts' && list && <ConflictDialog event={list.event} onClose={close} />}
    </div>
  )
}
