import { Modal } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import * as texts from '../../texts/generated/secondFactor.ts'
import { Kit } from '../layouts/Kit.tsx'
import { useOwner } from '../session/owner.ts'
import { useFocusReturn } from '../ui/dialogs/use-focus-return.ts'
import { useTopmost } from '../ui/dialogs/use-topmost.ts'
import styles from './Security.module.css'
import { SetUpSteps } from './SetUpSteps.tsx'

interface Props {
  /** Whether the dialog opens by itself: not over the scanner, which goes on. */
  opens: boolean
  onCodes: (areShown: boolean) => void
}

/** Over a page that was open when the club began to require a second factor, and must not be lost: says so, and sets it up in a dialog. */
export function HeldSetUp({ opens, onCodes }: Props) {
  const { user } = useOwner()
  const client = useQueryClient()
  const [isOpen, setOpen] = useState(opens)
  const [hasCodes, setHasCodes] = useState(false)
  // The codes are part of the dialog, and shown only once.
  const close = useTopmost(isOpen, () => hasCodes || setOpen(false))
  const noteCodes = (areShown: boolean) => {
    setHasCodes(areShown)
    onCodes(areShown)
  }
  useFocusReturn(isOpen)
  return (
    <Kit>
      <div className={`page ${styles.above}`}>
        <div className="problem row spread" role="alert">
          <span>{texts.requiredNow({ club: user.clubName ?? '' })}</span>
          <button type="button" className="button" onClick={() => setOpen(true)}>
            {texts.setUpNow()}
          </button>
        </div>
      </div>
      <Modal
        opened={isOpen}
        onClose={close}
        title={texts.requiredTitle()}
        closeOnClickOutside={false}
        closeButtonProps={{ 'aria-label': texts.later() }}
        zIndex={300}
      >
        <SetUpSteps onCodes={noteCodes} onDone={() => void client.invalidateQueries()} />
      </Modal>
    </Kit>
  )
}
