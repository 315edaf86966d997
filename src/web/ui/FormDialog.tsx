import { Button, Group, Modal } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTopmost } from './use-topmost.ts'

interface Props {
  title: string
  size?: string
  /** Whether something has been filled in that would be lost. */
  isDirty: boolean
  isOpen?: boolean
  onClose: () => void
  children: ReactNode
}

/** A dialog with a form: what was filled in is not lost by a click beside it, and Escape asks first. */
export function FormDialog({ title, size = 'md', isDirty, isOpen = true, onClose, children }: Props) {
  const [isAsked, setAsked] = useState(false)
  const close = useTopmost(isOpen, () => (isDirty ? setAsked(true) : onClose()))
  const keep = useTopmost(isAsked, () => setAsked(false))
  return (
    <>
      <Modal
        opened={isOpen}
        onClose={close}
        closeOnClickOutside={!isDirty}
        title={title}
        size={size}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {children}
      </Modal>
      <Modal opened={isAsked} onClose={keep} title="Close without saving?" centered withCloseButton={false}>
        <p>What you filled in is not saved yet.</p>
        <Group justify="flex-end">
          <Button onClick={keep} data-autofocus>
            Keep editing
          </Button>
          <Button
            variant="default"
            onClick={() => {
              setAsked(false)
              onClose()
            }}
          >
            Close without saving
          </Button>
        </Group>
      </Modal>
    </>
  )
}
