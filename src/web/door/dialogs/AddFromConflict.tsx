import { type Conflict, type DoorEvent, doorApi } from '../../../contract/door.ts'
import * as walkInTexts from '../../../texts/generated/walkIns.ts'
import { call } from '../../api/call.ts'
import { RegistrationDialog } from '../../attendees/RegistrationDialog.tsx'
import { notify } from '../../ui/notices/notify.ts'

interface Props {
  event: Pick<DoorEvent, 'id' | 'timeZone'>
  conflict: Conflict
  onClose: () => void
}

/** Adds somebody whom a phone had added and who got no place then, with what it had noted of them. */
export function AddFromConflict({ event, conflict: { scanId, name, walkIn }, onClose }: Props) {
  const { email = '', phone = '', others = [], ticketTypeId = null, extrasIds = [] } = walkIn ?? {}
  return (
    <RegistrationDialog
      event={event}
      registration={null}
      draft={{ registrationData: { name: name ?? '', email, phone, others }, ticketTypeId, extrasIds }}
      add={({ eventId, registrationData, extrasIds: given, ticketTypeId: type }) =>
        call(doorApi.addFromConflict, {
          payload: {
            ...{ eventId, scanId, registrationData, extrasIds: given },
            ...(type !== undefined && { ticketTypeId: type }),
          },
        })
      }
      onClose={onClose}
      // An earlier try, or somebody else, may have added them under another name.
      onSaved={(saved, typed) => {
        const added = saved?.registrationData.name ?? typed
        if (added === typed) notify('success', walkInTexts.addedAfterAll({ name: added }))
        else notify('info', walkInTexts.addedBefore({ name: added }))
      }}
    />
  )
}
