import { Modal, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import * as texts from '../../../texts/generated/door.ts'
import * as practiceTexts from '../../../texts/generated/practice.ts'
import * as paths from '../../paths.ts'
import { useMay } from '../../session/may.ts'
import { useFocusReturn } from '../../ui/dialogs/use-focus-return.ts'
import { Segments } from '../../ui/forms/Segments.tsx'
import { type Door, type DoorView, setDevice } from '../phone/door.ts'
import { endPractice, startPractice } from '../practice/practice-mode.ts'

interface Props {
  door: Door
  view: DoorView
  opensOffline: boolean
  onClose: () => void
}

const modes = [
  { value: 'express', label: texts.express },
  { value: 'confirm', label: texts.confirm },
] as const

const explained = {
  express: texts.expressText,
  confirm: texts.confirmText,
} as const

/** The settings of this phone at the door. */
export function DoorSettings({ door, view, opensOffline, onClose }: Props) {
  const { device, list, canPersist } = view
  const may = useMay()
  useFocusReturn()
  const [name, setName] = useState(device.name)
  const isNamed = name.trim() !== ''
  const rename = (next: string) => {
    setName(next)
    if (next.trim() !== '') setDevice(door, { name: next.trim() })
  }
  const isReady = opensOffline && canPersist && list !== null
  return (
    <Modal
      opened
      onClose={onClose}
      title={texts.settingsOfThisPhone()}
      closeButtonProps={{ 'aria-label': texts.close() }}
    >
      <Stack>
        <TextInput
          label={texts.nameOfThisPhone()}
          description={texts.deviceNameHint()}
          value={name}
          maxLength={40}
          error={isNamed ? undefined : texts.nameNeeded()}
          onChange={({ currentTarget }) => rename(currentTarget.value)}
        />
        <Stack gap={6}>
          {/* Screen readers get it from the group itself. */}
          <Text component="p" fw={600} m={0} aria-hidden="true">
            {texts.whoComesInWhen()}
          </Text>
          <Segments
            label={texts.whoComesInWhen()}
            options={modes.map(({ value, label }) => ({ value, label: label() }))}
            value={device.mode}
            onChange={(mode) => setDevice(door, { mode })}
          />
          <Text component="p" className="muted small" m={0}>
            {explained[device.mode]()}
          </Text>
        </Stack>
        <Switch
          size="md"
          label={texts.sound()}
          checked={device.sound}
          onChange={({ currentTarget }) => setDevice(door, { sound: currentTarget.checked })}
        />
        <Switch
          size="md"
          label={practiceTexts.practise()}
          description={practiceTexts.practiseHint()}
          checked={view.practice !== null}
          onChange={({ currentTarget }) => {
            if (currentTarget.checked) startPractice(door)
            else endPractice(door)
            onClose()
          }}
        />
        <p className="small" role="status">
          {isReady ? texts.phoneReady() : texts.phoneNeedsNetwork()}
        </p>
        {/* On phones the page has no menu. */}
        <p className="row">
          {view.connection !== 'offline' && may('member') && (
            <Link
              className="button small light"
              to={may('read') ? paths.eventHome(door.eventId) : paths.adminDashboard}
            >
              {may('read') ? texts.backToTheEvent() : texts.backToTheEvents()}
            </Link>
          )}
          {(view.connection !== 'offline' || opensOffline) && (
            <Link className="button small subtle" to={paths.signout}>
              {texts.signOut()}
            </Link>
          )}
        </p>
      </Stack>
    </Modal>
  )
}
