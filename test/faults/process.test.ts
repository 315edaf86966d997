import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { connect as connectTo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../support/databases.ts'
import { ended, makeDataDir, serve, until } from '../support/serve.ts'

const main = join(import.meta.dirname, '../../dist/server/main.js')

test('SIGTERM, even sent twice, ends the server with 0 and the next start finds everything', async () => {
  const dataDir = makeDataDir()
  const first = await serve({ port: 3941, dataDir })
  expect(first.output()).toMatch(/Operator: {2}sudo@turnout\.local {2}password: \S{14}/)
  const gone = ended(first.process, 'SIGTERM')
  first.process.kill('SIGTERM')
  await gone
  expect(first.process.exitCode).toBe(0)

  const second = await serve({ port: 3941, dataDir })
  expect(second.output()).not.toContain('password:')
  await ended(second.process, 'SIGINT')
  expect(second.process.exitCode).toBe(0)
  rmSync(dataDir, { recursive: true, force: true })
})

test('a start that fails half-way leaves no database running, and the operator’s password is printed when it succeeds', async () => {
  const dataDir = makeDataDir()
  const taken = createServer().listen(3945, '127.0.0.1')
  await once(taken, 'listening')
  const env = { PATH: process.env.PATH, PORT: '3945', DATA_DIR: dataDir }
  const { status, stderr } = spawnSync(process.execPath, [main], { env, encoding: 'utf8' })
  expect([status, stderr]).toEqual([1, expect.stringContaining('EADDRINUSE')])
  expect(existsSync(join(dataDir, 'postgres/data/postmaster.pid'))).toBe(false)
  taken.close()

  const served = await serve({ port: 3946, dataDir })
  expect(served.output()).toMatch(/Operator: {2}sudo@turnout\.local {2}password: \S{14}/)
  await served.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

test('a request that never ends does not keep the server from stopping in order', async () => {
  const dataDir = makeDataDir()
  const served = await serve({ port: 3947, dataDir })
  const socket = connectTo(3947, '127.0.0.1')
  socket.on('error', () => {}) // The server closes it, which is the point.
  socket.write(
    'POST /api/user/signin HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
  )
  await until(async () => socket.bytesWritten > 50, 5_000, 'half of the request is sent')
  await ended(served.process, 'SIGTERM')
  expect(served.process.exitCode).toBe(0)
  expect(existsSync(join(dataDir, 'postgres/data/postmaster.pid'))).toBe(false)
  rmSync(dataDir, { recursive: true, force: true })
})

test('wrong settings stop the start with one line each', () => {
  const env = {
    PATH: process.env.PATH,
    PORT: 'many',
    BASE_URL: 'example.org',
    SMTP_URL: 'http://mail',
    SUDO_PASSWORD: 'short',
  }
  const { status, stderr } = spawnSync(process.execPath, [main], { env, encoding: 'utf8' })
  expect(status).toBe(1)
  expect(stderr.trim().split('\n')).toEqual([
    'PORT must be a number from 0 to 65535.',
    'SUDO_PASSWORD must have 8 or more characters and at least one digit.',
    'SUDO_PASSWORD needs SUDO_EMAIL.',
    'BASE_URL must be an address that starts with http:// or https://.',
    'SMTP_URL must be an address that starts with smtp:// or smtps://.',
  ])
})

test('two servers that start at once on an empty database both serve, and there is one operator', async () => {
  const { connect } = await import('../../src/server/db/connect.ts')
  const database = await createTestDatabase()
  const db = connect(database.url)
  await db.schema.dropSchema('public').cascade().execute()
  await db.schema.createSchema('public').execute()
  const env = { DATABASE_URL: database.url }
  const servers = await Promise.all([serve({ port: 3942, env }), serve({ port: 3943, env })])
  const printed = servers.filter(({ output }) => output().includes('password:'))
  expect(printed).toHaveLength(1)
  expect(await db.selectFrom('users').select('role').execute()).toEqual([{ role: 'sudo' }])
  await Promise.all(servers.map(({ stop }) => stop()))
  await db.destroy()
  await database.drop()
})

test('the demo has a club with three events, one of them full, and 500 attendees', async () => {
  const served = await serve({ port: 3944, args: ['--demo'] })
  const url = /(http:\S+\/club\/(\d+)\/event)/.exec(served.output())
  const active = await fetch(`${served.url}/api/event/getAllActiveEvents?clubId=${url?.[2]}&currentDate=2026-01-01`)
  const { payload } = await active.json()
  expect(payload).toHaveLength(2)
  expect(payload[0]).toMatchObject({ maxAttendees: 120, registrationCount: 120 })
  expect(payload[0].registrationCount + payload[1].registrationCount).toBe(500)
  await served.stop()
})
