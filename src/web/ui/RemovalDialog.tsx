import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'

interface Props {
  title: string
  /** What has to be typed to confirm; without it one button is enough. */
  name?: string
  /** What goes, and what cannot be undone. */
  children: ReactNode
  action: string
  isOpen: boolean
  isBusy: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Asks before something is gone for good; where much goes with it, by typing its name. */
export function RemovalDialog({ title, name, children, action, isOpen, isBusy, onConfirm, onClose }: Props) {
  const [typed, setTyped] = useState('')
  const isConfirmed = name === undefined || typed.trim() === name
  const close = () => {
    setTyped('')
    onClose()
  }
  return (
    <Modal opened={isOpen} onClose={close} title={title} centered closeButtonProps={{ 'aria-label': 'Close' }}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isConfirmed && !isBusy) onConfirm()
        }}
      >
        <Stack>
          <div>{children}</div>
          {name !== undefined && (
            <TextInput
              label={`Type “${name}” to confirm`}
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
              autoComplete="off"
              data-autofocus
            />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Keep it
            </Button>
            <Button type="submit" color="red" loading={isBusy} disabled={!isConfirmed}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
