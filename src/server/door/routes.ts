import { doorApi } from '../../contract/door.ts'
import { paperApi } from '../../contract/paper.ts'
import * as texts from '../../texts/generated/api.ts'
import { shownVoucher } from '../access/shown.ts'
import type { Decide } from '../checkins/scan.ts'
import type { Deps } from '../deps.ts'
import type { Implement } from '../http/implement.ts'
import { listConflicts, seeConflicts } from '../scans/conflicts.ts'
import { addFromConflict } from './add-from-conflict.ts'
import { makeCountTickets } from './count-tickets.ts'
import { doorList } from './door-list.ts'
import { makeOtherTickets } from './other-tickets.ts'
import { enterPaper, readPaper } from './paper-entry.ts'
import { paperList } from './paper-list.ts'
import { makeRedeemQueued } from './redeem-queued.ts'
import { syncScans } from './sync-scans.ts'

export function doorRoutes(implement: Implement, deps: Deps, decide: Decide): void {
  const { db, now } = deps
  const countTickets = makeCountTickets()
  const otherTicketsOf = makeOtherTickets(deps)
  const redeem = makeRedeemQueued(deps)
  implement(doorApi, {
    getDoorList: async ({ caller, event, input }) => ({
      payload: await doorList(deps, countTickets, caller, event, input),
    }),
    getOtherTickets: async ({ event }) => ({ payload: await otherTicketsOf(event) }),
    getPaperList: async ({ caller, event, language, closed }) => ({
      payload: null,
      file: await paperList(deps, caller, event, { language: language(), closed: closed() }),
    }),
    syncScans: async ({ caller, event, input, language }) => {
      const answers = await syncScans(deps, { decide, redeem }, caller, event, {
        ...input.payload,
        language: language(),
      })
      const shown = answers.map((answer) => ({
        ...answer,
        extrasPurchase: answer.extrasPurchase && shownVoucher(caller, answer.extrasPurchase),
      }))
      return { payload: { answers: shown } }
    },
    getConflicts: async ({ event }) => ({ payload: await listConflicts(db, event) }),
    seeConflicts: async ({ caller, event, input }) => {
      await seeConflicts(db, now(), event, caller, input.payload.scanIds)
      return { payload: await listConflicts(db, event) }
    },
    addFromConflict: async ({ caller, event, input }) => ({
      payload: await addFromConflict(deps, caller, event, input.payload),
    }),
  })
  implement(paperApi, {
    readPaper: async ({ caller, event, input }) => ({
      payload: await readPaper(deps, caller, event, input.payload.codes),
    }),
    checkInFromPaper: async ({ caller, event, input }) => {
      const payload = await enterPaper(deps, caller, event, input.payload)
      return { payload, msg: () => texts.checkedInFromPaper({ count: payload.checkedIn }) }
    },
  })
}
