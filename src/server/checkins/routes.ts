import { checkinApi } from '../../contract/checkins.ts'
import * as texts from '../../texts/generated/api.ts'
import { shownRegistration } from '../access/shown.ts'
import type { Deps } from '../deps.ts'
import type { Implement } from '../http/implement.ts'
import { limitCodes } from '../limits/limit-codes.ts'
import { saveCheckin } from './save-checkin.ts'
import { type Decide, scan } from './scan.ts'

export function checkinRoutes(implement: Implement, deps: Deps, decide: Decide): void {
  implement(checkinApi, {
    scanByRegistrationId: async ({ caller, event, input }) => {
      const { registration, checkin } = await limitCodes(deps, caller, input.payload.qrCodeData, () =>
        scan(deps, decide, caller, event, input.payload),
      )
      return {
        payload: { registration: shownRegistration(caller, registration), checkin },
        msg: texts.checkInSuccessful,
      }
    },
    save: async ({ caller, event, input }) => {
      const { newCheckin } = input.payload
      const payload = await saveCheckin(deps, caller, event, newCheckin)
      return { payload, msg: newCheckin.status ? texts.checkedIn : texts.checkInUndone }
    },
  })
}
