import { Button, Group } from '@mantine/core'
import { useRef, useState } from 'react'
import { ticketUrl } from '../../contract/tickets.ts'
import { baseUrl } from '../base-url.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { Camera } from './Camera.tsx'
import { ConflictDialog } from './ConflictList.tsx'
import { DoorHeader } from './DoorHeader.tsx'
import { DoorSettings } from './DoorSettings.tsx'
import { type Door, setDevice } from './door.ts'
import { FindGuest } from './FindGuest.tsx'
import { GoneDoor } from './GoneDoor.tsx'
import { RecentScans } from './RecentScans.tsx'
import { StuckDialog } from './StuckScans.tsx'
import { useDoorView } from './use-door.ts'
import { useScans } from './use-scans.ts'
import { useFocusBack, useTyping } from './use-typing.ts'
import { useWedge } from './use-wedge.ts'
import { VerdictScreen } from './VerdictScreen.tsx'
import { useWalkInQuestions, WalkIn } from './WalkIn.tsx'

type Open = 'settings' | 'walk-in' | 'conflicts' | 'stuck' | null

/** The open door: camera, search, the latest scans, and the verdict over all of it. */
export function DoorScreen({ door, isKept }: { door: Door; isKept: boolean }) {
  const view = useDoorView(door)
  const [open, setOpen] = useState<Open>(null)
  const typing = useTyping()
  const field = useRef<HTMLInputElement>(null)
  const { shown, isBusy, scan, see, letIn, clear } = useScans(door, open !== null || typing.isTyping)
  const focus = useFocusBack(shown !== null, field)
  const close = () => setOpen(null)
  useWedge(scan)
  useWalkInQuestions(view)
  if (view.isGone) return <GoneDoor />
  const { list, link } = view
  const conflicts = list?.conflicts ?? 0
  return (
    <div className="door">
      <PageTitle title={list ? `Scanner: ${list.event.name}` : 'Scanner'} />
      <DoorHeader door={door} view={view} isKept={isKept} onStuck={() => setOpen('stuck')} />
      {/* A name that is half typed is not cut off, whatever is shown over it. */}
      <div className="door-parts" inert={shown !== null && typing.text === ''} {...focus}>
        <div>
          <Camera
            chosen={view.device.camera}
            onChoose={(camera) => setDevice(door, { camera })}
            isBusy={isBusy}
            typing={typing}
            onCode={see}
          />
          <Group className="door-actions" gap="xs">
            <Button
              variant="light"
              size="md"
              disabled={link !== 'online'}
              title={link === 'online' ? undefined : 'A place can be given only with network.'}
              onClick={() => setOpen('walk-in')}
            >
              Add somebody
            </Button>
            <Button variant="light" size="md" onClick={() => setOpen('settings')}>
              Settings
            </Button>
            {conflicts > 0 && (
              <Button color="red" variant="light" size="md" onClick={() => setOpen('conflicts')}>
                {conflicts === 1 ? '1 conflict' : `${conflicts} conflicts`}
              </Button>
            )}
          </Group>
        </div>
        <div>
          <FindGuest {...{ door, view, isBusy, typing, field }} onCode={scan} onLetIn={letIn} />
          <RecentScans door={door} view={view} />
        </div>
      </div>
      <VerdictScreen shown={shown} onClear={clear} />
      {open === 'stuck' && <StuckDialog door={door} view={view} onClose={close} />}
      {open === 'settings' && <DoorSettings door={door} view={view} isKept={isKept} onClose={close} />}
      {open === 'conflicts' && list && <ConflictDialog event={list.event} onClose={close} />}
      {open === 'walk-in' && list && (
        <WalkIn
          event={list.event}
          onClose={close}
          onSaved={(registration) => scan(ticketUrl(baseUrl(), registration))}
        />
      )}
    </div>
  )
}
