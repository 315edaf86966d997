import { Button, Modal } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import * as texts from '../../../texts/generated/controls.ts'
import { DialogButtons } from '../buttons/DialogButtons.tsx'
import { SavingFields } from '../forms/SavingFields.tsx'
import { LeaveGuard } from './LeaveGuard.tsx'
import { IsNested, useBackdrop } from './nested.ts'
import { useFocusReturn } from './use-focus-return.ts'
import { useTopmost } from './use-topmost.ts'

interface Props {
  title: string
  size?: string
  /** Whether there is unsaved input. */
  isDirty: boolean
  /** Whether the form is being saved. It then stays open and disabled, because closing it would not stop the request. */
  isBusy: boolean
  isOpen?: boolean
  onClose: () => void
  children: ReactNode
}

/** A dialog with a form: a click outside does not close it with unsaved input, and Escape or leaving the page asks first. */
export function FormDialog({ title, size = 'md', isDirty, isBusy, isOpen = true, onClose, children }: Props) {
  const [isAsked, setAsked] = useState(false)
  const isHeld = isDirty || isBusy
  const close = useTopmost(isOpen, () => {
    if (isBusy) return
    if (isDirty) setAsked(true)
    else onClose()
  })
  const keep = useTopmost(isAsked, () => setAsked(false))
  useFocusReturn(isOpen)
  const overlayProps = useBackdrop()
  return (
    <>
      {/* Only with unsaved work, because only one of several guards on a page works. */}
      {isOpen && isHeld && <LeaveGuard isDirty />}
      <Modal
        opened={isOpen}
        onClose={close}
        closeOnClickOutside={!isHeld}
        title={title}
        size={size}
        overlayProps={overlayProps}
      >
        <IsNested value={true}>
          <SavingFields isSaving={isBusy}>{children}</SavingFields>
        </IsNested>
      </Modal>
      <Modal
        opened={isAsked}
        onClose={keep}
        title={texts.closeWithoutSaving()}
        centered
        withCloseButton={false}
        overlayProps={{ backgroundOpacity: 0.2 }}
      >
        <p>{texts.unsavedInput()}</p>
        <DialogButtons>
          <Button onClick={keep} data-autofocus>
            {texts.keepEditing()}
          </Button>
          <Button
            variant="default"
            onClick={() => {
              setAsked(false)
              onClose()
            }}
          >
            {texts.closeWithoutSaving2()}
          </Button>
        </DialogButtons>
      </Modal>
    </>
  )
}
