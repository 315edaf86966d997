import { Button, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { DoorEvent } from '../../../contract/door.ts'
import { formApi } from '../../../contract/forms.ts'
import type { Registration } from '../../../contract/registrations.ts'
import * as texts from '../../../texts/generated/door.ts'
import { query } from '../../api/query.ts'
import { RegistrationDialog } from '../../attendees/RegistrationDialog.tsx'
import { DialogButtons } from '../../ui/buttons/DialogButtons.tsx'
import { useFocusReturn } from '../../ui/dialogs/use-focus-return.ts'
import type { Door } from '../phone/door.ts'
import { saveAtDoor } from '../walk-ins/save-at-door.ts'

interface Props {
  door: Door
  event: DoorEvent
  isOffline: boolean
  onClose: () => void
  /** Called with the registration; with the name alone when this phone added them by itself. */
  onSaved: (registration: Registration | null, name: string) => void
}

/** Adds somebody at the door. The dialog can be closed even if its form cannot be loaded. */
export function WalkIn({ door, event, isOffline, onClose, onSaved }: Props) {
  useFocusReturn()
  const questions = useQuery(query(formApi.getFormQuestions, { eventId: event.id }))
  if (questions.data)
    return (
      <RegistrationDialog
        {...{ event, isOffline, onClose, onSaved }}
        registration={null}
        add={(wish) => saveAtDoor(door, wish)}
      />
    )
  return (
    <Modal opened onClose={onClose} title={texts.addSomebody()} closeButtonProps={{ 'aria-label': texts.close() }}>
      {questions.isError && <p role="alert">{texts.formNotLoaded()}</p>}
      <DialogButtons>
        <Button variant="default" onClick={onClose}>
          {texts.backToTheScanner()}
        </Button>
        <Button loading={questions.isFetching} onClick={() => void questions.refetch()}>
          {texts.tryAgain()}
        </Button>
      </DialogButtons>
    </Modal>
  )
}
