import { Modal, Stack, Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { useFocusReturn } from '../../ui/dialogs/use-focus-return.ts'
import { Segments } from '../../ui/forms/Segments.tsx'
import { type Door, type DoorView, setDevice } from '../phone/door.ts'

interface Props {
  door: Door
  view: DoorView
  opensOffline: boolean
  onClose: () => void
}

const modes = [
  { value: 'express', label: 'Express' },
  { value: 'confirm', label: 'Confirm' },
] as const

const explained = {
  express: 'Whoever is valid comes in at once, and the next can be scanned.',
  confirm: 'The phone shows who it is, and they come in when you say so.',
} as const

/** The settings of this phone at the door. */
export function DoorSettings({ door, view, opensOffline, onClose }: Props) {
  const { device, list, canPersist } = view
  useFocusReturn()
  const [name, setName] = useState(device.name)
  const isNamed = name.trim() !== ''
  const rename = (next: string) => {
    setName(next)
    if (next.trim() !== '') setDevice(door, { name: next.trim() })
  }
  const isReady = opensOffline && canPersist && list !== null
  return (
    <Modal opened onClose={onClose} title="Settings of this phone" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack>
        <TextInput
          label="Name of this phone"
          description="It stands beside each ticket that was let in here."
          value={name}
          maxLength={40}
          error={isNamed ? undefined : 'Give this phone a name.'}
          onChange={({ currentTarget }) => rename(currentTarget.value)}
        />
        <div>
          <Segments
            label="Who comes in when"
            options={modes}
            value={device.mode}
            onChange={(mode) => setDevice(door, { mode })}
          />
          <p className="muted small">{explained[device.mode]}</p>
        </div>
        <Switch
          size="md"
          label="Sound"
          checked={device.sound}
          onChange={({ currentTarget }) => setDevice(door, { sound: currentTarget.checked })}
        />
        <p className="small" role="status">
          {isReady
            ? 'This phone is ready: the door opens and works without network. To have it at hand, add this page to the home screen.'
            : 'This phone needs network to open the door. Over a secure address (https) it gets ready by itself.'}
        </p>
        {/* On phones the page has no menu. */}
        <p className="row">
          {view.connection !== 'offline' && (
            <Link className="button small light" to={paths.eventHome(door.eventId)}>
              Back to the event
            </Link>
          )}
          {(view.connection !== 'offline' || opensOffline) && (
            <Link className="button small subtle" to={paths.signout}>
              Sign out
            </Link>
          )}
        </p>
      </Stack>
    </Modal>
  )
}
