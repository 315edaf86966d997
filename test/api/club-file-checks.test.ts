import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { clubFileApi } from '../../src/contract/club-files.ts'
import { eventApi } from '../../src/contract/events.ts'
import { takeImport } from '../../src/server/club-files/import-queries.ts'
import { importWhenDue } from '../../src/server/club-files/import-when-due.ts'
import { movedPage } from '../../src/server/events/moved-page.ts'
import { exportClub, fileOf, finishImport, importClub, linesOf, sendClub } from '../support/club-files.ts'
import { makeEvent, makeExtras } from '../support/make.ts'
import { makeFullClub, makeRoom, setUpMoving, target } from '../support/moving.ts'
import { refusalOf } from '../support/outcomes.ts'
import { family } from '../support/paid-orders.ts'
import { begin, app as source } from '../support/paying.ts'

setUpMoving()

describe('an imported file', () => {
  /** Imports a file of the source with some rows changed. */
  async function importChanged(change: (kind: string, row: Record<string, unknown>) => Record<string, unknown>) {
    const { club, token, event } = await family()
    await begin(event)
    const lines = linesOf(await exportClub(source, club.id, token))
    const room = await makeRoom()
    const file = fileOf(lines.map(([kind, row]) => [kind, change(kind, row)]))
    return { ...room, imported: await importClub(target, room.club.id, room.token, file) }
  }
  const far = '9998-01-01T00:00:00+00:00'

  test.each([
    ['a moment far away', 'events', { starts_at: far, ends_at: '9999-01-01T00:00:00+00:00' }],
    ['a price below nothing', 'events', { ticket_price_to: -5 }],
    ['a price that no ticket has', 'events', { ticket_price_to: 9_999 }],
    ['a huge amount', 'registrations', { amount: 2_147_483_647 }],
    ['a name of a thousand letters', 'registrations', { name: 'x'.repeat(1000) }],
    ['an action that is a word of the language', 'changes', { action: 'constructor' }],
    ['a currency that nobody can write', 'changes', { after: { currency: 5 } }],
    ['a line of a megabyte', 'changes', { after: { name: 'x'.repeat(1_000_000) } }],
  ])('%s is refused', async (_what, table, odd) => {
    const { club, imported } = await importChanged((kind, row) => (kind === table ? { ...row, ...odd } : row))
    expect(imported).toMatchObject({ state: 'failed', reason: 'damaged' })
    expect(await target.call(eventApi.getAllActiveEvents, { clubId: club.id, currentDate: '2026-11-20' })).toEqual([])
  })

  test.each([
    ['a check-in', 'checkins', 'event_id', 'events'],
    ['a payment', 'payments', 'event_id', 'events'],
    ['a voucher', 'extras_purchases', 'extras_id', 'extras'],
    ['an order', 'orders', 'event_id', 'events'],
  ])('a registration with %s of another event is refused', async (_what, table, column, kind) => {
    const { club, token } = await makeFullClub()
    const other = await makeEvent(source, token)
    await makeExtras(source, token, other.id)
    const lines = linesOf(await exportClub(source, club.id, token))
    const elsewhere = lines.findLast(([each]) => each === kind)?.[1].id
    expect(lines.filter(([each, row]) => each === table && row[column] !== elsewhere)).not.toEqual([])
    const file = fileOf(lines.map(([each, row]) => [each, each === table ? { ...row, [column]: elsewhere } : row]))
    const room = await makeRoom()
    const imported = await importClub(target, room.club.id, room.token, file)
    expect(imported).toMatchObject({ state: 'failed', reason: 'damaged' })
  })

  test('programs are not told of it, and numbers of what is gone take none of this server', async () => {
    const { club, token, event } = await family()
    await begin(event)
    const room = await makeRoom()
    const { db } = target.deps
    await db
      .insertInto('webhooks')
      .values({
        clubId: room.club.id,
        url: 'https://a.example',
        events: ['registration.created'],
        secret: 's',
        createdAt: target.clock.now,
      })
      .execute()
    const lines = linesOf(await exportClub(source, club.id, token))
    const gone = Array.from({ length: 50 }, (_, n): (typeof lines)[number] => [
      'changes',
      {
        ...lines.find(([kind]) => kind === 'changes')?.[1],
        subject: 'registration',
        subject_id: 1_000_000 + n,
        event_id: null,
      },
    ])
    const before = await nextOf('registrations')
    expect(await importClub(target, room.club.id, room.token, fileOf([...lines, ...gone]))).toMatchObject({
      state: 'done',
    })
    expect(await db.selectFrom('webhookDeliveries').select('id').execute()).toEqual([])
    expect((await nextOf('registrations')) - before).toBe(2)
  })

  const nextOf = async (table: string) => {
    const { rows } = await sql<{
      next: number
    }>`select nextval(pg_get_serial_sequence(${table}, 'id')) as next`.execute(target.deps.db)
    return rows[0]?.next ?? 0
  }

  test('an order whose first person is gone keeps its link, and money lost in a dispute is not given back again', async () => {
    const { club, token, order } = await makeFullClub()
    const { db } = source.deps
    const ids = order.registrations.map(({ id }) => id)
    await db.updateTable('payments').set({ dispute: 'lost' }).where('registrationId', 'in', ids).execute()
    const file = await exportClub(source, club.id, token)
    const first = order.savedRegistration.id
    // As when staff have removed the first registration.
    const lines = linesOf(file).filter(
      ([kind, row]) => !(kind === 'registrations' && row.id === first) && row.registration_id !== first,
    )
    const payments = new Set(lines.filter(([kind]) => kind === 'payments').map(([, row]) => row.id))
    const whole = lines.filter(([kind, row]) => kind !== 'refunds' || payments.has(row.payment_id))
    const room = await makeRoom()
    expect(await importClub(target, room.club.id, room.token, fileOf(whole))).toMatchObject({ state: 'done' })
    const { rows } = await sql<{ left: number }>`
      select coalesce(sum(p.amount - p.refunded), 0)::int as left from payments p join registrations r on r.id = p.registration_id
      where r.order_id is not null and p.club_id = ${room.club.id}
    `.execute(target.deps.db)
    expect(rows).toEqual([{ left: 0 }])
    const path = await movedPage(target.deps, `/order/${order.order.id}/${order.order.secret}`)
    expect(path).toMatch(/^\/order\/\d+\//)
  })

  test('an import whose server was killed is done by the next one, and two servers do it once', async () => {
    const { club, token, event } = await family()
    await begin(event)
    const file = await exportClub(source, club.id, token)
    const room = await makeRoom()
    await sendClub(target, room.club.id, room.token, file)
    // The server that took it is gone.
    await takeImport(target.deps.db, target.clock.now, new Date(target.clock.now.getTime() + 60_000))
    expect(await importWhenDue(target.deps)).toBe(false)
    target.clock.now = new Date(target.clock.now.getTime() + 61_000)
    const other = await target.another()
    other.clock.now = target.clock.now
    const done = await Promise.all([importWhenDue(target.deps), importWhenDue(other.deps)])
    expect(done.filter(Boolean)).toHaveLength(1)
    expect(await finishImport(target, room.club.id, room.token)).toMatchObject({ state: 'done', counts: { events: 1 } })
  })

  test('an import is given up after five tries, and is only possible where the operator allows it', async () => {
    const { club, token } = await family()
    const file = await exportClub(source, club.id, token)
    const room = await makeRoom()
    await sendClub(target, room.club.id, room.token, file)
    await target.deps.db.updateTable('clubImports').set({ tries: 5 }).execute()
    expect(await finishImport(target, room.club.id, room.token)).toMatchObject({
      state: 'failed',
      reason: 'not possible',
    })

    target.deps.settings.clubImports = false
    await refusalOf(sendClub(target, room.club.id, room.token, file), 'IMPORTS_OFF')
    expect(await target.call(clubFileApi.getImport, { clubId: room.club.id }, room.token)).toMatchObject({
      isAllowed: false,
    })
  })
})
