import type { FastifyInstance } from 'fastify'
import { type Conflict, doorApi } from '../../contract/door.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { seeConflicts } from '../checkins/queries.ts'
import { makeDecide } from '../checkins/scan.ts'
import type { Db } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { implement } from '../http/implement.ts'
import { makeCountTickets } from './count-tickets.ts'
import { doorList } from './door-list.ts'
import { listConflicts } from './queries.ts'
import { syncScans } from './sync-scans.ts'

export function doorRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, now } = deps
  const decide = makeDecide(deps)
  const countTickets = makeCountTickets()
  implement(app, deps, doorApi, {
    getDoorList: async ({ event, input }) => ({ payload: await doorList(deps, countTickets, event, input.since) }),
    syncScans: async ({ caller, event, input }) => ({
      payload: { answers: await syncScans(deps, decide, caller, event, input.payload) },
    }),
    getConflicts: async ({ event }) => ({ payload: await conflictsOf(db, event) }),
    seeConflicts: async ({ caller, event, input }) => {
      await seeConflicts(db, event.id, input.payload.scanIds, caller.fullName, now())
      return { payload: await conflictsOf(db, event) }
    },
  })
}

async function conflictsOf(db: Db, event: OwnEvent): Promise<Conflict[]> {
  return (await listConflicts(db, event)).map(({ scanId, ticketId, name, voucher, code, seenAt, seenBy, ...row }) => ({
    scanId,
    registrationId: ticketId,
    name,
    voucher,
    code,
    scan: { at: row.scannedAt, by: row.scannedBy, device: row.device },
    first: row.firstAt === null ? null : { at: row.firstAt, by: row.firstBy ?? '', device: row.firstDevice },
    seenAt,
    seenBy,
  }))
}
