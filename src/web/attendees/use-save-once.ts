import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { attendeeApi } from '../../contract/attendees.ts'
import type { Input } from '../../contract/endpoint.ts'
import type { Refusal } from '../../contract/errors.ts'
import type { Registration } from '../../contract/registrations.ts'
import * as texts from '../../texts/generated/attendees.ts'
import { call } from '../api/call.ts'
import { newId } from '../new-id.ts'
import { notify } from '../ui/notices/notify.ts'
import { saveOnce } from './save-once.ts'

type Wish = Input<typeof attendeeApi.save>['payload']

/** Saves a registration that staff filled in. Sending it again after a lost answer does not add anybody twice. */
export function useSaveOnce() {
  const [save] = useState(() =>
    saveOnce<Wish & { idempotencyKey: string }, Registration>((payload) => call(attendeeApi.save, { payload })),
  )
  const [idempotencyKey] = useState(newId)
  return useMutation<Registration, Refusal, Wish>({
    mutationFn: async (wish) => {
      // A correction is protected by its version.
      if (wish.id !== undefined) return call(attendeeApi.save, { payload: wish })
      const { saved, isEarlier } = await save({ ...wish, idempotencyKey })
      const { name } = saved.registrationData
      if (isEarlier) notify('info', texts.firstTryArrived({ name }))
      return saved
    },
  })
}
