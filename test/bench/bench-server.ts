import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { authApi } from '../../src/contract/auth.ts'
import { clubApi } from '../../src/contract/clubs.ts'
import type { Endpoint, Input } from '../../src/contract/endpoint.ts'
import type { Event } from '../../src/contract/event.ts'
import { eventApi } from '../../src/contract/events.ts'
import { appUserApi } from '../../src/contract/users.ts'
import { fromAnswer, toRequest } from '../../src/contract/wire.ts'
import { connect } from '../../src/server/db/connect.ts'
import { openEmbedded } from '../../src/server/db/embedded/embedded.ts'
import { migrate } from '../../src/server/db/migrate.ts'
import { makeDataDir, type Served, serve } from '../support/serve.ts'
import { cpuOf, cpuOfFamily } from './cpu.ts'

export const ADMIN = { email: 'ana@example.org', password: 'correct horse 1' }
const SUDO = { email: 'sudo@example.org', password: 'operator 1' }

/** The built server on a fresh embedded database with fsync on, a club, its signed-in admin, and a direct connection to the database. */
export async function startBench(port: number, settings: Record<string, string> = {}) {
  const dataDir = makeDataDir()
  const embedded = await openEmbedded(dataDir, () => {})
  const { host, user, password, database } = embedded.connection
  const databaseUrl = `postgres://${user}:${password}@localhost/${database}?host=${encodeURIComponent(host)}`
  const db = connect(databaseUrl, { isPatient: true })
  await migrate(db)
  const env = {
    DATABASE_URL: databaseUrl,
    SUDO_EMAIL: SUDO.email,
    SUDO_PASSWORD: SUDO.password,
    SMTP_URL: 'smtp://127.0.0.1:9',
    LIMITS: 'off',
    ...settings,
  }
  const served = await serve({ port, env })

  async function call<E extends Endpoint>(endpoint: E, input: Input<E>, token = '') {
    const { method, url, body } = toRequest(endpoint, input)
    const headers = {
      ...(body !== null && { 'content-type': 'application/json' }),
      ...(token && { authorization: token }),
    }
    const response = await fetch(served.url + url, { method, body, headers })
    const { payload } = fromAnswer(endpoint, response.status, await response.json())
    return { payload, token: response.headers.get('authorization') ?? '' }
  }

  const sudo = await call(authApi.signin, SUDO)
  const { payload: club } = await call(clubApi.save, { name: 'Bench Club' }, sudo.token)
  await call(appUserApi.save, { payload: { ...ADMIN, fullName: 'Ana', clubId: club.id } }, sudo.token)
  const { token } = await call(authApi.signin, ADMIN)

  return {
    db,
    served,
    meters: metersOf({ process: served.process, dataDir }),
    call,
    token,
    newEvent: async (name: string, description = ''): Promise<Event> => {
      const times = { startsAt: new Date('2030-06-21T17:00:00Z'), endsAt: new Date('2030-06-21T21:00:00Z') }
      const fields = { name, description, ...times, maxAttendees: 1_000_000, status: 'published' as const }
      return (await call(eventApi.save, fields, token)).payload
    },
    /** The server process's current memory, in MB. */
    memory: (): number => {
      const status = readFileSync(`/proc/${served.process.pid}/status`, 'utf8')
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
    },
    stop: async () => {
      await served.stop()
      await db.destroy()
      await embedded.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Functions that tell the CPU time that a server and its embedded database have used so far, in ms. */
export function metersOf({ process, dataDir }: Pick<Served, 'process' | 'dataDir'>) {
  // The first line of PostgreSQL's pid file is the process id.
  const postmaster = Number.parseInt(readFileSync(pidFile(dataDir), 'utf8'), 10)
  return { server: () => cpuOf(process.pid ?? 0), database: () => cpuOfFamily(postmaster) }
}

function pidFile(dataDir: string): string {
  const found = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).find((name) =>
    name.endsWith('postmaster.pid'),
  )
  if (!found) throw new Error('The embedded PostgreSQL has left no postmaster.pid.')
  return join(dataDir, found)
}
