import { redemptionApi } from '../../contract/redemptions.ts'
import * as texts from '../../texts/generated/api.ts'
import { shownRegistration, shownVoucher } from '../access/shown.ts'
import type { Deps } from '../deps.ts'
import type { Implement } from '../http/implement.ts'
import { limitCodes } from '../limits/limit-codes.ts'
import { voucherFor } from './find-voucher.ts'
import { scanVoucher } from './redeem.ts'
import { undoRedemption } from './redeem-units.ts'

export function redemptionRoutes(implement: Implement, deps: Deps): void {
  implement(redemptionApi, {
    scanByExtrasPurchaseId: async ({ caller, event, input }) => {
      const { payload, ...rest } = await limitCodes(deps, caller, input.payload.qrCodeData, () =>
        scanVoucher(deps, caller, event, input.payload),
      )
      return {
        payload: {
          registration: shownRegistration(caller, payload.registration),
          extrasPurchase: shownVoucher(caller, payload.extrasPurchase),
          extrasPurchases: payload.extrasPurchases.map((each) => shownVoucher(caller, each)),
        },
        ...rest,
      }
    },
    undoRedemption: async ({ caller, event, input }) => ({
      payload: shownVoucher(caller, await undoRedemption(deps, caller, event, input.payload)),
      msg: texts.takenBack,
    }),
    getVoucher: async ({ voucher, language }) => ({ payload: await voucherFor(deps, voucher, language()) }),
  })
}
