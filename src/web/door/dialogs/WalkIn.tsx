import { Button, Modal } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { DoorEvent } from '../../../contract/door.ts'
import { formApi } from '../../../contract/forms.ts'
import type { Registration } from '../../../contract/registrations.ts'
import { visitorTicketTypeApi } from '../../../contract/ticket-type.ts'
import * as texts from '../../../texts/generated/door.ts'
import { query } from '../../api/query.ts'
import { RegistrationDialog } from '../../attendees/RegistrationDialog.tsx'
import { DialogButtons } from '../../ui/buttons/DialogButtons.tsx'
import { useFocusReturn } from '../../ui/dialogs/use-focus-return.ts'
import type { DoorView } from '../phone/door.ts'

/** Loads the form's questions, and the tickets that they are for, while there is network, so that somebody without a ticket can be added at once. */
export function useWalkInQuestions({ list, connection }: DoorView): void {
  const client = useQueryClient()
  const eventId = list?.event.id
  useEffect(() => {
    if (eventId === undefined || connection !== 'online') return
    // Cached without limit, because it may take long until somebody comes without a ticket.
    const forEver = { staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY }
    void client.prefetchQuery({ ...query(formApi.getFormQuestions, { eventId }), ...forEver })
    void client.prefetchQuery({ ...query(visitorTicketTypeApi.getTicketTypes, { eventId }), ...forEver })
  }, [client, eventId, connection])
}

interface Props {
  event: DoorEvent
  onClose: () => void
  onSaved: (registration: Registration) => void
}

/** Adds somebody at the door. The dialog can be closed even if its form cannot be loaded. */
export function WalkIn({ event, onClose, onSaved }: Props) {
  useFocusReturn()
  const questions = useQuery(query(formApi.getFormQuestions, { eventId: event.id }))
  if (questions.data)
    return <RegistrationDialog event={event} registration={null} onClose={onClose} onSaved={onSaved} />
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
