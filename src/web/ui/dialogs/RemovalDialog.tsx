import { Button, Modal, Stack, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import * as texts from '../../../texts/generated/controls.ts'
import { DialogButtons } from '../buttons/DialogButtons.tsx'
import { useBackdrop } from './nested.ts'
import { keepFocus, useFocusReturn } from './use-focus-return.ts'
import { useTopmost } from './use-topmost.ts'

interface Props {
  title: string
  /** The name to type for confirmation; without it one button is enough. */
  name?: string
  /** The text that says what is removed and that it cannot be undone. */
  children: ReactNode
  action: string
  isOpen: boolean
  isBusy: boolean
  onConfirm: () => void
  onClose: () => void
  /** What gets the focus when the dialog has closed and the pressed button goes with what was removed; null for that button. */
  focusAfter?: () => HTMLElement | null
}

/** Asks before something is removed for good; if much is lost with it, its name has to be typed. */
export function RemovalDialog({
  title,
  name,
  children,
  action,
  isOpen,
  isBusy,
  onConfirm,
  onClose,
  focusAfter,
}: Props) {
  const [typed, setTyped] = useState('')
  // It has to be typed each time the dialog opens.
  if (!isOpen && typed !== '') setTyped('')
  const isConfirmed = name === undefined || asShown(typed) === asShown(name)
  // Closing it would not stop the request.
  const close = useTopmost(isOpen, () => isBusy || onClose())
  useFocusReturn(isOpen)
  const overlayProps = useBackdrop()
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={title}
      centered
      overlayProps={overlayProps}
      // The hook above does so, which also knows the button of a menu.
      returnFocus={false}
      onExitTransitionEnd={() =>
        requestAnimationFrame(() => {
          focusAfter?.()?.focus()
          keepFocus()
        })
      }
    >
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
              label={texts.typeToConfirm({ name })}
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
              autoComplete="off"
              data-autofocus
            />
          )}
          <DialogButtons>
            <Button variant="default" disabled={isBusy} onClick={close}>
              {texts.keepIt()}
            </Button>
            <Button type="submit" color="red" loading={isBusy} disabled={!isConfirmed}>
              {action}
            </Button>
          </DialogButtons>
        </Stack>
      </form>
    </Modal>
  )
}

/** A name as a browser shows it: several spaces look like one. */
function asShown(name: string): string {
  return name.replace(/\s+/g, ' ').trim()
}
