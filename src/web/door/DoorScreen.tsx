import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { ticketUrl } from '../../contract/tickets.ts'
import { baseUrl } from '../base-url.ts'
import { RegistrationDialog } from '../registrations/RegistrationDialog.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'
import { Camera } from './Camera.tsx'
import { ConflictDialog } from './ConflictList.tsx'
import { DoorHeader } from './DoorHeader.tsx'
import { DoorSettings } from './DoorSettings.tsx'
import { type Door, setDevice } from './door.ts'
import { FindGuest } from './FindGuest.tsx'
import { GoneDoor } from './GoneDoor.tsx'
import { RecentScans } from './RecentScans.tsx'
import { useDoorView } from './use-door.ts'
import { useScans } from './use-scans.ts'
import { useWedge } from './use-wedge.ts'
import { VerdictScreen } from './VerdictScreen.tsx'

type Open = 'settings' | 'walk-in' | 'conflicts' | null

/** The open door: camera, search, the latest scans, and the verdict over all of it. */
export function DoorScreen({ door, isKept }: { door: Door; isKept: boolean }) {
  const view = useDoorView(door)
  const [open, setOpen] = useState<Open>(null)
  const { shown, isBusy, scan, see, letIn, clear } = useScans(door, open !== null)
  const close = () => setOpen(null)
  useWedge(scan)
  if (view.isGone) return <GoneDoor />
  const { list, link } = view
  const conflicts = list?.conflicts ?? 0
  return (
    <div className="door">
      <PageTitle title={list ? `Scanner: ${list.event.name}` : 'Scanner'} />
      <DoorHeader door={door} view={view} isKept={isKept} />
      <div className="door-parts" inert={shown !== null}>
        <div>
          <Camera
            chosen={view.device.camera}
            onChoose={(camera) => setDevice(door, { camera })}
            isBusy={isBusy}
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
          <FindGuest door={door} view={view} isBusy={isBusy} onCode={scan} onLetIn={letIn} />
          <RecentScans door={door} view={view} />
        </div>
      </div>
      <VerdictScreen shown={shown} onClear={clear} />
      {open === 'settings' && <DoorSettings door={door} view={view} isKept={isKept} onClose={close} />}
      {open === 'conflicts' && list && <ConflictDialog event={list.event} onClose={close} />}
      {open === 'walk-in' && list && (
        <RegistrationDialog
          event={list.event}
          registration={null}
          onClose={close}
          onSaved={(registration) => scan(ticketUrl(baseUrl(), registration))}
        />
      )}
    </div>
  )
}
