import { randomUUID } from 'node:crypto'
import http from 'node:http'
import { resolve } from 'node:path'
import { checkinApi } from '../../src/contract/checkins.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { ticketUrl } from '../../src/contract/values/ticket-codes.ts'
import { callAt, makeEventAt, OPERATOR } from '../support/remote.ts'
import { serve } from '../support/serve.ts'
import { metersOf } from './bench-server.ts'
import { type Figure, measure } from './load.ts'
import { registrationBody } from './registration-body.ts'

// Compares free registrations and scans of two built checkouts: `npx tsx test/bench/compare.ts ../before .`
// Both servers run side by side and take turns, so that whatever else the machine does slows both. The ratios count, not the times.
const [before, after] = process.argv.slice(2).map((root) => resolve(root))
if (!before || !after)
  throw new Error('Give the folders of two built checkouts: the one before, and the one to compare.')
const ALONE = Number(process.env.BENCH_ALONE ?? 3000)
const PAIRS = Number(process.env.BENCH_PAIRS ?? 20)
const SECONDS = Number(process.env.BENCH_SECONDS ?? 3)
const PHONES = 20
const SCANS_A_TURN = 2_000

type Side = Awaited<ReturnType<typeof start>>

async function start(root: string, port: number) {
  const served = await serve({ port, env: { ...OPERATOR, SMTP_URL: 'smtp://127.0.0.1:9', LIMITS: 'off' }, root })
  const { event, token } = await makeEventAt(served.url)
  const body = () => registrationBody(event)
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  const codes: string[] = []
  return { served, event, token, body, codes, meters: metersOf(served), agent }
}

/** The time that one registration takes, in ms. */
function registerOne({ served, body, agent }: Side): Promise<number> {
  return new Promise((done, fail) => {
    const text = body()
    const began = performance.now()
    const options = { method: 'POST', agent, headers: { 'content-type': 'application/json' } }
    const request = http.request(served.url + registrationApi.initRegistration.path, options, (answer) => {
      answer.resume()
      answer.on('end', () =>
        answer.statusCode === 200 ? done(performance.now() - began) : fail(new Error(`Status ${answer.statusCode}`)),
      )
    })
    request.on('error', fail)
    request.end(text)
  })
}

function rush({ served, body, meters }: Side): Promise<Figure> {
  const request = { method: 'POST' as const, path: registrationApi.initRegistration.path, body }
  return measure(served.url, request, { connections: 64, seconds: SECONDS }, meters)
}

/** Registers as many people as will be scanned, and keeps the codes of their tickets. */
async function makeTickets({ served, event, codes }: Side, count: number): Promise<void> {
  const registerNext = async () => {
    while (codes.length < count) {
      const { payload } = await callAt(
        served.url,
        registrationApi.initRegistration,
        JSON.parse(registrationBody(event)),
      )
      codes.push(ticketUrl(served.url, payload.savedRegistration))
    }
  }
  await Promise.all(Array.from({ length: 32 }, registerNext))
}

function scan({ served, event, token, codes, meters }: Side): Promise<Figure> {
  const body = () => JSON.stringify({ payload: { qrCodeData: codes.pop(), eventId: event.id, scanId: randomUUID() } })
  const request = { method: 'POST' as const, path: checkinApi.scanByRegistrationId.path, body, token }
  return measure(served.url, request, { connections: PHONES, seconds: SECONDS, amount: SCANS_A_TURN }, meters)
}

/** Does the same on both sides by turns, and returns the results of each. */
async function byTurns<T>(sides: readonly [Side, Side], times: number, work: (side: Side) => Promise<T>) {
  const results: [T[], T[]] = [[], []]
  for (let turn = 0; turn < times; turn++)
    for (const which of turn % 2 === 0 ? [0, 1] : [1, 0])
      results[which === 0 ? 0 : 1].push(await work(sides[which === 0 ? 0 : 1]))
  return results
}

function quartiles(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (part: number) => (sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(3)
  return `${at(0.5)} (quartiles ${at(0.25)} to ${at(0.75)})`
}

const ratios = (first: readonly number[], second: readonly number[]) =>
  second.map((value, index) => value / (first[index] ?? 0))

/** Prints what each request costs on the second side, and what of that on the first. */
function report(name: string, [first, second]: readonly [Figure[], Figure[]]): void {
  const beside = (read: (figure: Figure) => number) => quartiles(ratios(first.map(read), second.map(read)))
  const cpu = ({ server, database }: Figure) => server + database
  console.log(`${name}, ${PAIRS} pairs, CPU in µs: ${quartiles(second.map(cpu))}`)
  console.log(`  CPU of each beside its neighbour: ${beside(cpu)}`)
  console.log(`  CPU of the server alone: ${beside(({ server }) => server)}`)
  console.log(`  rate: ${beside(({ perSecond }) => perSecond)}`)
}

const sides: [Side, Side] = [await start(before, 3950), await start(after, 3951)]
try {
  await byTurns(sides, 300, registerOne)
  const [alone, aloneAfter] = await byTurns(sides, ALONE, registerOne)
  console.log(`one after the other, ms: ${quartiles(alone)}, then ${quartiles(aloneAfter)}`)
  console.log(`  time of each beside its neighbour: ${quartiles(ratios(alone, aloneAfter))}`)
  await byTurns(sides, 2, rush)
  report('64 registrations at once', await byTurns(sides, PAIRS, rush))
  for (const side of sides) await makeTickets(side, (PAIRS + 3) * SCANS_A_TURN)
  await byTurns(sides, 3, scan)
  report(`scans of ${PHONES} phones`, await byTurns(sides, PAIRS, scan))
} finally {
  for (const { served, agent } of sides) {
    agent.destroy()
    await served.stop()
  }
}
