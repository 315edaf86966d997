import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import type { Event } from '../../src/contract/event.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { registrationFor } from '../support/make.ts'
import { callAt, makeEventAt, OPERATOR } from '../support/remote.ts'
import { ended, makeDataDir, type Served, serve, until } from '../support/serve.ts'

const PORT = 4034
let dataDir: string
let served: Served
let event: Event
let token: string
beforeAll(async () => {
  dataDir = makeDataDir()
  served = await start()
  ;({ event, token } = await makeEventAt(served.url))
}, 240_000)
afterAll(async () => {
  await ended(served.process, 'SIGTERM')
  rmSync(dataDir, { recursive: true, force: true })
})

const start = () => serve({ port: PORT, dataDir, env: { ...OPERATOR, WORKERS: '2', LIMITS: 'off', LOG_LEVEL: 'warn' } })

/** The server processes that the first one has started. */
function processesOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const [, after = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
        const isServer = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('main.js')
        return isServer && Number(after.split(' ')[1]) === parent ? [Number(pid)] : []
      } catch {
        return []
      }
    })
}
const workers = () => processesOf(served.process.pid ?? 0)
const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Whether it runs: one that has ended and that its parent does not know of yet does not. */
const isRunning = (pid: number) => {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}

/** Registers people one after the other until stopped; returns the names that were acknowledged. */
function registerOn(): { stop: () => Promise<string[]> } {
  const acknowledged: string[] = []
  let isStopped = false
  const clients = Array.from({ length: 4 }, async (_, client) => {
    for (let n = 0; !isStopped; n++) {
      // The x keeps a search for the name from matching the digits of everybody's phone number.
      const name = `Guest ${client}x${n}`
      const answer = await callAt(
        served.url,
        registrationApi.initRegistration,
        registrationFor(event, { name, email: `guest${client}-${n}@example.org` }),
      ).catch(() => null)
      if (answer) acknowledged.push(name)
    }
  })
  return {
    stop: async () => {
      isStopped = true
      await Promise.all(clients)
      return acknowledged
    },
  }
}

test('a server process that is killed is replaced, the others serve on, and nothing acknowledged is lost', async () => {
  const before = workers()
  expect(before).toHaveLength(2)
  for (const [at, victim] of before.entries()) {
    const rush = registerOn()
    process.kill(victim, 'SIGKILL')
    await until(async () => workers().length === 2 && !workers().includes(victim), 30_000, 'it is replaced')
    const isBack = async () => served.output().split('the new server process serves').length === at + 2
    await until(isBack, 60_000, 'the new one serves')
    const acknowledged = await rush.stop()
    expect(acknowledged.length).toBeGreaterThan(0)
    for (const name of [acknowledged[0], acknowledged.at(-1)]) {
      const asked = { eventId: event.id, searchKeyword: name ?? '', sortBy: 'name', limit: 5 } as const
      const { payload } = await callAt(served.url, attendeeApi.getAttendees, asked, token)
      expect(payload.attendees.map(({ registration }) => registration.registrationData.name)).toContain(name)
    }
  }
  // It was announced once, whatever was replaced since.
  expect(served.output().match(/Turnout is running at/g)).toHaveLength(1)
  expect(served.output()).toContain('a server process ended, and is replaced')
})

test('the figures are those of all processes together', async () => {
  const count = async () => {
    const text = await (await fetch(`${served.url}/metrics`)).text()
    const line = /turnout_http_request_duration_seconds_count\{[^}]*route="\/healthz"[^}]*\} (\d+)/.exec(text)
    return Number(line?.[1] ?? 0)
  }
  const before = await count()
  // Each with a connection of its own, so that both processes answer some.
  for (let n = 0; n < 8; n++) await fetch(`${served.url}/healthz`, { headers: { connection: 'close' } })
  await until(async () => (await count()) === before + 8, 10_000, 'all eight are counted')
})

test('the first process lives on when one is killed that it was about to tell something', async () => {
  const first = served.process.pid ?? 0
  const [victim = 0] = workers()
  process.kill(first, 'SIGSTOP')
  const asked = fetch(`${served.url}/metrics`, { headers: { connection: 'close' } }).catch(() => null)
  process.kill(victim, 'SIGKILL')
  await until(async () => !isRunning(victim), 10_000, 'it has ended')
  process.kill(first, 'SIGCONT')
  await asked
  await until(async () => workers().length === 2 && !workers().includes(victim), 30_000, 'it is replaced')
  await until(async () => (await fetch(`${served.url}/metrics`)).ok, 30_000, 'the figures are whole again')
  expect(served.process.exitCode).toBeNull()
})

test('a stop ends all processes in order, and one that is killed leaves none behind', async () => {
  const first = workers()
  await ended(served.process, 'SIGTERM')
  expect(served.process.exitCode).toBe(0)
  expect(first.filter(isAlive)).toEqual([])

  served = await start()
  const second = workers()
  await ended(served.process, 'SIGKILL')
  await until(async () => !second.some(isAlive), 10_000, 'its processes have ended')
  served = await start()
  await until(async () => workers().length === 2, 30_000, 'both run')
})
