import { Button, Modal } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useBlocker, useNavigate } from 'react-router'
import * as texts from '../../../texts/generated/controls.ts'
import { DialogButtons } from '../buttons/DialogButtons.tsx'
import { holdUnsaved } from './unsaved.ts'
import { useTopmost } from './use-topmost.ts'

/** Asks before the user leaves unsaved changes, within the app and when the tab is closed. */
export function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  const blocker = useBlocker(isDirty)
  useEffect(() => {
    if (!isDirty) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    const release = holdUnsaved()
    return () => {
      window.removeEventListener('beforeunload', ask)
      release()
    }
  }, [isDirty])
  const stay = useTopmost(blocker.state === 'blocked', () => blocker.reset?.())
  return (
    <Modal opened={blocker.state === 'blocked'} onClose={stay} title={texts.leaveWithoutSaving()} centered>
      <p>{texts.unsavedInput()}</p>
      <DialogButtons>
        <Button onClick={stay} data-autofocus>
          {texts.stayHere()}
        </Button>
        <Button variant="default" onClick={() => blocker.proceed?.()}>
          {texts.leave()}
        </Button>
      </DialogButtons>
    </Modal>
  )
}

/**
 * Leaves a page whose work is saved, without asking. Does nothing if the user has already left it.
 */
export function useLeave() {
  const navigate = useNavigate()
  const [target, setTarget] = useState<{ path: string; state?: string } | null>(null)
  // In an effect, so that an unmounted page does nothing. By then the guard, a child component, no longer blocks.
  useEffect(() => {
    if (target !== null) void navigate(target.path, { state: target.state })
  }, [target, navigate])
  return {
    isLeaving: target !== null,
    leave: (path: string, state?: string) => setTarget({ path, ...(state !== undefined && { state }) }),
  }
}

/** Loads the page anew, once the guard no longer blocks. */
export function useReload() {
  const [isReloading, setReloading] = useState(false)
  useEffect(() => {
    if (isReloading) window.location.reload()
  }, [isReloading])
  return { isReloading, reload: () => setReloading(true) }
}
