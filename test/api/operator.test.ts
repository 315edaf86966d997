import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeFirstSudo } from '../../src/server/auth/first-sudo.ts'
import { keepSignInsSwept, sweepSignIns } from '../../src/server/auth/sweep.ts'
import { deleteEnded } from '../../src/server/limits/queries.ts'
import { readSettings } from '../../src/server/settings.ts'
import { makeFixture } from '../support/make.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

const HOUR = 60 * 60_000

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

test('the operator of the settings is created once, and not again when the address was changed', async () => {
  const { deps } = app
  const { admin } = await makeFixture(app)
  const settings = (email: string) => readSettings({ SUDO_EMAIL: email, SUDO_PASSWORD: 'a long pass 7' })
  const sudos = () => deps.db.selectFrom('users').select('email').where('role', '=', 'sudo').execute()
  const warnings: string[] = []
  const warn = Object.assign(Object.create(deps.log), { warn: (line: string) => warnings.push(line) })
  const make = (email: string) => makeFirstSudo({ ...deps, log: warn }, settings(email))
  await deps.db.deleteFrom('users').where('role', '=', 'sudo').execute()

  const common = readSettings({ SUDO_EMAIL: 'me@club.example', SUDO_PASSWORD: 'Password1' })
  await expect(makeFirstSudo(deps, common)).rejects.toThrow('SUDO_PASSWORD is one that too many people use')
  expect(await make(admin.email)).toBeNull()
  expect(await make('me@club.example')).toEqual({ email: 'me@club.example', password: null })
  expect(await make('ME@club.example')).toBeNull()
  expect(await makeFirstSudo(deps, common)).toBeNull()
  expect(warnings).toHaveLength(1)
  await deps.db.updateTable('users').set({ email: 'new@club.example' }).where('role', '=', 'sudo').execute()
  expect(await make('me@club.example')).toBeNull()
  expect(warnings).toHaveLength(2)
  expect(await sudos()).toEqual([{ email: 'new@club.example' }])
})

test('after a flood, expired counts are swept in batches until none is left', async () => {
  await sql`
    insert into limit_counts (key, count, ends_at)
    select 'flood ' || n, 1, ${app.clock.now}::timestamptz - interval '1 hour' from generate_series(1, 20500) n
  `.execute(app.deps.db)
  await sql`insert into limit_counts (key, count, ends_at) values ('running', 1, ${app.clock.now}::timestamptz + interval '1 hour')`.execute(
    app.deps.db,
  )
  await deleteEnded(app.deps.db, app.clock.now)
  expect(await app.deps.db.selectFrom('limitCounts').select('key').execute()).toEqual([{ key: 'running' }])
})

test('expired password links, sessions and attempts are swept at start; the rest stays', async () => {
  const { deps, clock } = app
  const { admin } = await makeFixture(app)
  const { id } = await deps.db.selectFrom('users').select('id').where('id', '<>', admin.id).executeTakeFirstOrThrow()
  const at = (ms: number) => new Date(clock.now.getTime() + ms)
  const resets = [
    { userId: admin.id, tokenHash: 'old', expiresAt: at(0) },
    { userId: id, tokenHash: 'valid', expiresAt: at(1) },
  ]
  await deps.db.insertInto('passwordResets').values(resets).execute()
  const tries = [
    { key: 'old', endsAt: at(-HOUR - 1), count: 1 },
    { key: 'new', endsAt: at(-HOUR + 1), count: 1 },
  ]
  await deps.db.insertInto('limitCounts').values(tries).execute()
  const keys = async () => (await deps.db.selectFrom('limitCounts').select('key').execute()).map(({ key }) => key)

  const timer = keepSignInsSwept(deps)
  await expect.poll(keys).not.toContain('old')
  clearInterval(timer)
  await sweepSignIns(deps)
  expect(await keys()).toContain('new')
  expect(await deps.db.selectFrom('passwordResets').select('tokenHash').execute()).toEqual([{ tokenHash: 'valid' }])
})
