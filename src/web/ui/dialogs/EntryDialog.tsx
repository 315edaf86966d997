import { Button, Stack } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import * as texts from '../../../texts/generated/controls.ts'
import { DialogButtons } from '../buttons/DialogButtons.tsx'
import { Attention } from '../forms/Attention.tsx'
import { EditConflict } from '../forms/EditConflict.tsx'
import { FormDialog } from './FormDialog.tsx'
import { showProblem } from './show-problem.ts'
import type { Sent } from './use-sending.ts'

interface Props {
  title: string
  isDirty: boolean
  isBusy: boolean
  sent: Sent
  onSubmit: (submitted: FormEvent<HTMLFormElement>) => void
  /** Loads the latest version, after somebody else has saved one. */
  onReload: () => void
  onClose: () => void
  children: ReactNode
}

/** A dialog that adds something to an event, or edits it: its fields, what is wrong with them above, and the buttons below. */
export function EntryDialog({ title, isDirty, isBusy, sent, onSubmit, onReload, onClose, children }: Props) {
  return (
    <FormDialog isDirty={isDirty} isBusy={isBusy} onClose={onClose} title={title} size="lg">
      <form onSubmit={onSubmit} noValidate>
        <Stack>
          {sent.isConflict && <EditConflict onReload={onReload} />}
          <Attention count={sent.invalidCount} />
          {sent.problem && (
            <p className="problem" role="alert" ref={showProblem}>
              {sent.problem}
            </p>
          )}
          {children}
          <DialogButtons>
            <Button variant="default" onClick={onClose}>
              {texts.closeWithoutSaving2()}
            </Button>
            <Button type="submit" loading={isBusy}>
              {texts.save()}
            </Button>
          </DialogButtons>
        </Stack>
      </form>
    </FormDialog>
  )
}
