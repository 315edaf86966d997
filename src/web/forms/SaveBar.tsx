import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react'
import * as controlTexts from '../../texts/generated/controls.ts'
import * as texts from '../../texts/generated/formBuilder.ts'
import { SaveButton } from '../ui/buttons/SaveButton.tsx'
import { StickyBar } from '../ui/buttons/StickyBar.tsx'
import { ToolButton } from './ToolButton.tsx'
import type { FormBuilderState } from './use-form-builder.ts'

/** Whether the form is saved, and the buttons to undo, redo and save; in view while there is something to save. */
export function SaveBar({ builder }: { builder: FormBuilderState }) {
  const { changes, message, isSaving } = builder
  return (
    <StickyBar state={stateOf(builder)} message={message} isFloating={changes > 0}>
      <ToolButton
        label={texts.undo()}
        Icon={IconArrowBackUp}
        hasWords
        isIdle={!builder.canUndo}
        aria-keyshortcuts="Control+Z Meta+Z"
        onClick={builder.undo}
      />
      <ToolButton
        label={texts.redo()}
        Icon={IconArrowForwardUp}
        hasWords
        isIdle={!builder.canRedo}
        aria-keyshortcuts="Control+Shift+Z Meta+Shift+Z"
        onClick={builder.redo}
      />
      <SaveButton isIdle={changes === 0} isSaving={isSaving} onClick={() => void builder.save()}>
        {texts.save()}
      </SaveButton>
    </StickyBar>
  )
}

function stateOf({ changes, problems, hasSaved }: FormBuilderState): string {
  if (problems.length > 0) return controlTexts.notSavedProblems({ count: problems.length })
  if (changes > 0) return texts.unsavedChanges({ count: changes })
  return hasSaved ? texts.saved() : texts.noChanges()
}
