import type { Input } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import type { Pass, passApi } from '../../contract/passes.ts'
import * as texts from '../../texts/generated/passes.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { endOfPass } from '../access/pass.ts'
import { logChange } from '../db/changes.ts'
import type { Db, Tx, UserRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { lockEvent } from '../places/seat-queries.ts'
import { hashOf, newToken } from '../tokens.ts'
import * as queries from './queries.ts'

/** The most passes of one event that are valid at once. */
export const MOST_PASSES = 100

/** The passes of an event, the latest first. */
export async function passesOf(db: Db, event: OwnEvent, now: Date): Promise<Pass[]> {
  return toPasses(db, event, await queries.listPasses(db, event.id), now)
}

async function toPasses(db: Db, event: OwnEvent, rows: readonly UserRow[], now: Date): Promise<Pass[]> {
  const ids = rows.map(({ id }) => id)
  const phones = await queries.listPhones(db, ids, now)
  return rows.map((row) => ({
    id: row.id,
    name: row.fullName,
    may: row.passMay ?? [],
    phones: row.passPhones ?? 0,
    madeBy: row.passMadeBy ?? '',
    createdAt: row.createdAt,
    endsAt: endOfPass(event.endsAt, row.passRevokedAt),
    revokedAt: row.passRevokedAt,
    openOn: phones.filter(({ userId }) => userId === row.id),
  }))
}

async function toPass(db: Db, event: OwnEvent, row: UserRow, now: Date): Promise<Pass> {
  const [pass] = await toPasses(db, event, [row], now)
  if (!pass) throw new Error('A row became no pass.')
  return pass
}

/**
 * Makes a pass and its link. With the key of a pass that exists, because its answer was lost, that pass is changed and gets a new link.
 * Refuses with INVALID_INPUT when the event has too many passes or is over, and NOT_FOUND for a key of another event or a revoked pass.
 */
export async function makePass(
  { db, now }: Deps,
  caller: AdminCaller,
  event: OwnEvent,
  { key, name, may, phones }: Input<typeof passApi.makePass>['payload'],
) {
  if (endOfPass(event.endsAt) <= now()) throw isOver()
  const token = newToken()
  return db.transaction().execute(async (tx) => {
    // So that two at once do not exceed the limit.
    await lockEvent(tx, event.id)
    const same = await queries.lockPass(tx, event.id, { passKey: key })
    if (same?.passRevokedAt) throw new Refusal('NOT_FOUND')
    const fields = { fullName: name, passMay: [...new Set(may)], passPhones: phones }
    if (same) return { pass: await renew(tx, event, same, { ...fields, token }, now()), token }
    if ((await queries.countPasses(tx, event.id)) >= MOST_PASSES)
      throw new Refusal('INVALID_INPUT', {
        fields: [{ path: 'payload.name', msg: () => texts.manyPasses({ count: MOST_PASSES }) }],
      })
    const row = await queries.insertPass(
      tx,
      {
        clubId: event.clubId,
        eventId: event.id,
        ...fields,
        passKey: key,
        passHash: hashOf(token),
        passMadeBy: caller.fullName,
      },
      now(),
    )
    // The key is of a pass of another event.
    if (!row) throw new Refusal('NOT_FOUND')
    await log(tx, caller, row, 'pass made', now())
    return { pass: await toPass(tx, event, row, now()), token }
  })
}

/**
 * Makes a new link: the previous one stops working, and the phones that opened it only send what they did before. Refuses with NOT_FOUND,
 * also for a revoked pass, and INVALID_INPUT when the event is over.
 */
export async function renewPass({ db, now }: Deps, caller: AdminCaller, event: OwnEvent, id: number) {
  const token = newToken()
  return db.transaction().execute(async (tx) => {
    const row = await queries.lockPass(tx, event.id, { id })
    if (!row || row.passRevokedAt !== null) throw new Refusal('NOT_FOUND')
    if (endOfPass(event.endsAt) <= now()) throw isOver()
    await log(tx, caller, row, 'pass renewed', now())
    return { pass: await renew(tx, event, row, { token }, now()), token }
  })
}

const isOver = () => new Refusal('INVALID_INPUT', { fields: [{ path: 'payload.eventId', msg: texts.eventIsOver }] })

type Renewal = queries.PassFields & { token: string }

async function renew(tx: Tx, event: OwnEvent, row: UserRow, { token, ...fields }: Renewal, now: Date): Promise<Pass> {
  await queries.endPhones(tx, row.id, now)
  return toPass(tx, event, await queries.updatePass(tx, row.id, { ...fields, passHash: hashOf(token) }), now)
}

/**
 * Ends a pass. Its sessions stay, because its phones may still send what they scanned before. Refuses with NOT_FOUND; a pass that was
 * revoked before stays as it is.
 */
export async function revokePass({ db, now }: Deps, caller: AdminCaller, event: OwnEvent, id: number): Promise<Pass> {
  return db.transaction().execute(async (tx) => {
    const row = await queries.lockPass(tx, event.id, { id })
    if (!row) throw new Refusal('NOT_FOUND')
    if (row.passRevokedAt !== null) return toPass(tx, event, row, now())
    await log(tx, caller, row, 'pass revoked', now())
    return toPass(tx, event, await queries.updatePass(tx, row.id, { passRevokedAt: now() }), now())
  })
}

async function log(tx: Tx, caller: AdminCaller, row: UserRow, action: string, now: Date): Promise<void> {
  const what = { subject: 'user' as const, subjectId: row.id, action }
  await logChange(tx, now, { clubId: row.clubId, userId: caller.id, ...what })
}
