import { redemptionApi } from '../../contract/redemptions.ts'
import * as texts from '../../texts/generated/api.ts'
import type { Deps } from '../deps.ts'
import type { Implement } from '../http/implement.ts'
import { limitCodes } from '../limits/limit-codes.ts'
import { voucherFor } from './find-voucher.ts'
import { scanVoucher } from './redeem.ts'
import { undoRedemption } from './redeem-units.ts'

export function redemptionRoutes(implement: Implement, deps: Deps): void {
  implement(redemptionApi, {
    scanByExtrasPurchaseId: ({ caller, event, input }) =>
      limitCodes(deps, caller, input.payload.qrCodeData, () => scanVoucher(deps, caller, event, input.payload)),
    undoRedemption: async ({ caller, event, input }) => ({
      payload: await undoRedemption(deps, caller, event, input.payload),
      msg: texts.takenBack,
    }),
    getVoucher: async ({ voucher, language }) => ({ payload: await voucherFor(deps, voucher, language()) }),
  })
}
