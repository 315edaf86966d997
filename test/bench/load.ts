import autocannon from 'autocannon'

export interface Figure {
  perSecond: number
  /** In ms, as the client sees it. */
  p50: number
  p99: number
  /** CPU of the server's process for one request, in µs. */
  server: number
  /** The same for all of PostgreSQL's processes. */
  database: number
}

interface Request {
  method: 'GET' | 'POST'
  path: string
  /** A new body for each request. */
  body?: () => string
  token?: string
}

interface Load {
  connections: number
  seconds: number
  /** A number of requests, instead of a number of seconds. */
  amount?: number | undefined
}

/** The CPU time that each process has used so far, in ms. */
interface Meters {
  server: () => number
  database: () => number
}

/** Sends requests as fast as they are answered, and measures rate, latency and the CPU time of one request in both processes. */
export async function measure(
  url: string,
  { method, path, body, token = '' }: Request,
  { connections, seconds, amount }: Load,
  meters: Meters,
): Promise<Figure> {
  const before = { server: meters.server(), database: meters.database() }
  const start = performance.now()
  const result = await autocannon({
    url,
    connections,
    // With a number of requests, the run ends at the next sample, and the default of a second would be long compared with the whole.
    ...(amount === undefined ? { duration: seconds } : { amount, sampleInt: 50 }),
    requests: [
      {
        method,
        path,
        headers: { ...(body && { 'content-type': 'application/json' }), ...(token && { authorization: token }) },
        ...(body && { setupRequest: (request: object) => ({ ...request, body: body() }) }),
      },
    ],
  })
  const answered = result['2xx']
  if (result.non2xx + result.errors > 0) throw new Error(`${path}: ${result.non2xx} refused, ${result.errors} errors`)
  const spent = (now: number, then: number) => ((now - then) * 1000) / answered
  return {
    perSecond: (answered * 1000) / (performance.now() - start),
    p50: result.latency.p50,
    p99: result.latency.p99,
    server: spent(meters.server(), before.server),
    database: spent(meters.database(), before.database),
  }
}

/** Prints a row, with its CPU time relative to the baseline's, if there is one. */
export function row(name: string, { perSecond, p50, p99, server, database }: Figure, floor?: Figure): void {
  const sum = server + database
  console.log(
    `${name.padEnd(46)} ${perSecond.toFixed(0).padStart(6)}/s  p50 ${p50.toFixed(1).padStart(6)} ms  p99 ${p99.toFixed(1).padStart(6)} ms` +
      `  CPU ${server.toFixed(0).padStart(5)} + ${database.toFixed(0).padStart(5)} = ${sum.toFixed(0).padStart(5)} µs` +
      (floor ? `  ${(sum / (floor.server + floor.database)).toFixed(1).padStart(6)} ×` : ''),
  )
}
