import type { FastifyInstance } from 'fastify'
import { redemptionApi } from '../../contract/redemptions.ts'
import type { Deps } from '../deps.ts'
import { implement } from '../http/implement.ts'
import { limitCodes } from '../limits/limit-codes.ts'
import { limitHolder } from '../limits/limit-holder.ts'
import { voucherFor } from './find-voucher.ts'
import { scanVoucher } from './redeem.ts'
import { undoRedemption } from './redeem-units.ts'

export function redemptionRoutes(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, redemptionApi, {
    scanByExtrasPurchaseId: ({ caller, event, input }) =>
      limitCodes(deps, caller, input.payload.qrCodeData, () => scanVoucher(deps, caller, event, input.payload)),
    undoRedemption: async ({ caller, event, input }) => ({
      payload: await undoRedemption(deps, caller, event, input.payload),
      msg: 'Taken back.',
    }),
    getVoucher: async (call) => ({
      payload: await limitHolder(deps, 'tickets read by network', call, () => voucherFor(deps, call.input)),
    }),
  })
}
