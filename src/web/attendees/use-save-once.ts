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

/** Adds somebody; null when they are added, but the server does not know it yet. */
export type Add = (wish: Wish & { idempotencyKey: string }) => Promise<Registration | null>

const addByServer: Add = (payload) => call(attendeeApi.save, { payload })

/** Saves a registration that staff filled in. Sending it again after a lost answer does not add anybody twice. */
export function useSaveOnce(add: Add = addByServer) {
  const [save] = useState(() => saveOnce(add))
  const [idempotencyKey] = useState(newId)
  return useMutation<Registration | null, Refusal, Wish>({
    mutationFn: async (wish) => {
      // A correction is protected by its version.
      if (wish.id !== undefined) return call(attendeeApi.save, { payload: wish })
      const { saved, isEarlier } = await save({ ...wish, idempotencyKey })
      const { name } = (saved ?? wish).registrationData
      if (isEarlier) notify('info', texts.firstTryArrived({ name }))
      return saved
    },
  })
}
