import { Refusal } from '../../contract/errors.ts'
import { actingToken, actingWith } from '../acting-token.ts'
import { withPatience } from '../patience.ts'

interface Options<Q> {
  /** Maximum number of requests in one run. */
  most: number
  /** How many runs may be under way at once, over all lanes. */
  atOnce: number
  /**
   * Requests of the same lane (an event) share runs, one run at a time; those of different lanes never do. A lane that is
   * slow or locked delays only itself. Without it all requests share runs, `atOnce` of them at a time.
   */
  laneOf?: (request: Q) => number
  /**
   * After a run of several, the next run of its lane waits up to this long, in ms, for as many requests as were just answered and are waiting.
   * In a rush others ask at once; fewer and larger runs cost less CPU and answer more requests. Without it, runs follow at once.
   */
  lingerMs?: number
  /** Two requests that share a key never go into the same run: the later one waits for the next. */
  keysOf?: (request: Q) => readonly string[]
  /** Whether a failed run is worth repeating in halves, because one of its requests alone may be at fault. */
  isWorthSplitting?: (error: unknown) => boolean
  /** Whether a run failed only because others held a lock: it is retried after the other lanes had their turn. */
  isInTheWay?: (error: unknown) => boolean
}

interface Waiting<Q, A> {
  request: Q
  since: number
  /** The API token of the call: what is run together is logged with one. */
  token: string | null
  resolve: (answer: A) => void
  reject: (error: unknown) => void
}

interface Lane<Q, A> {
  waiting: Waiting<Q, A>[]
  running: number
  /** When requests of it were last answered. */
  answeredAt: number
  /** Its last run failed because others held a lock. */
  isBlocked: boolean
  /** Its next run waits for this many requests until the timer ends. */
  linger: { awaited: number; timer: NodeJS.Timeout } | null
}

/** A request that has waited this long, in ms, is refused if nothing of its lane was answered meanwhile. */
const PATIENCE_MS = 15_000
/** How long a run of a rush waits for those who were just answered, in ms: about what a run takes. */
export const LINGER_MS = 8
/** A run that takes longer, in ms, is given up, so that its slot is free for the next. */
const RUN_MS = 8_000

/**
 * Joins the requests that wait at the same moment into one run, each with its own answer. Requests that come one after another do not wait. `run` returns
 * answers in the order of its requests. Requests of different API tokens do not share runs. Requests not answered in time are refused with UNAVAILABLE.
 */
export function batch<Q, A>(run: (requests: Q[]) => Promise<A[]>, options: Options<Q>): (request: Q) => Promise<A> {
  const {
    most,
    atOnce,
    laneOf,
    lingerMs = 0,
    keysOf,
    isWorthSplitting = () => false,
    isInTheWay = () => false,
  } = options
  const runsOfLane = laneOf ? 1 : atOnce
  /** Blocked lanes never take up all runs, so that the others go on. */
  const mostBlocked = Math.ceil(atOnce / 2)
  /** In the order of their turns: a lane that was served goes to the end. */
  const lanes = new Map<number, Lane<Q, A>>()
  let underWay = 0
  let blockedUnderWay = 0

  function takeBatch(lane: Lane<Q, A>): Waiting<Q, A>[] {
    const batch: Waiting<Q, A>[] = []
    const later: Waiting<Q, A>[] = []
    const taken = new Set<string>()
    const oldest = performance.now() - PATIENCE_MS
    let token: string | null | undefined
    const isStuck = lane.answeredAt < oldest
    for (const each of lane.waiting) {
      const keys = keysOf?.(each.request) ?? []
      if (isStuck && each.since < oldest) each.reject(tooLate())
      else if (batch.length >= most || (batch.length > 0 && each.token !== token)) later.push(each)
      else if (keys.some((key) => taken.has(key))) later.push(each)
      else {
        token = each.token
        for (const key of keys) taken.add(key)
        batch.push(each)
      }
    }
    lane.waiting = later
    return batch
  }

  const runTogether = (batch: Waiting<Q, A>[]) =>
    actingWith(batch[0]?.token ?? null, () => run(batch.map(({ request }) => request)))

  async function answer(lane: Lane<Q, A>, batch: Waiting<Q, A>[]): Promise<void> {
    try {
      const answers = await withPatience(RUN_MS, runTogether(batch), tooLate)
      lane.answeredAt = performance.now()
      lane.isBlocked = false
      batch.forEach(({ resolve, reject }, index) => {
        const found = answers[index]
        if (found === undefined) reject(new Error('A run left a request without an answer.'))
        else resolve(found)
      })
    } catch (error) {
      if (isInTheWay(error)) {
        lane.isBlocked = true
        lane.waiting.unshift(...batch)
      } else if (batch.length > 1 && isWorthSplitting(error)) {
        const half = Math.ceil(batch.length / 2)
        await answer(lane, batch.slice(0, half))
        await answer(lane, batch.slice(half))
      } else for (const { reject } of batch) reject(error)
    }
  }

  /** Starts as many runs as allowed, each lane in its turn. */
  function start(): void {
    for (const [key, lane] of lanes) {
      if (underWay >= atOnce) return
      if (lane.running >= runsOfLane || lane.waiting.length === 0) continue
      if (lane.isBlocked && blockedUnderWay >= mostBlocked) continue
      if (lane.linger && lane.waiting.length < Math.min(lane.linger.awaited, most)) continue
      stopLingering(lane)
      const batch = takeBatch(lane)
      lanes.delete(key)
      if (batch.length > 0) void runOnce(key, lane, batch)
      keep(key, lane)
    }
  }

  async function runOnce(key: number, lane: Lane<Q, A>, batch: Waiting<Q, A>[]): Promise<void> {
    const { isBlocked } = lane
    lane.running++
    underWay++
    if (isBlocked) blockedUnderWay++
    await answer(lane, batch)
    lane.running--
    underWay--
    if (isBlocked) blockedUnderWay--
    // Requests of other tokens cannot join those who were answered.
    const isOneToken = lane.waiting.every(({ token }) => token === batch[0]?.token)
    if (lingerMs > 0 && batch.length > 1 && !lane.isBlocked && isOneToken)
      linger(key, lane, batch.length + lane.waiting.length)
    keep(key, lane)
    start()
  }

  function linger(key: number, lane: Lane<Q, A>, awaited: number): void {
    stopLingering(lane)
    const end = () => {
      if (lane.linger?.timer !== timer) return
      lane.linger = null
      keep(key, lane)
      start()
    }
    // If the thread was busy meanwhile, say with a mail, requests have arrived that are only read after the timers.
    const timer = setTimeout(() => setImmediate(end), lingerMs)
    lane.linger = { awaited, timer }
  }

  function stopLingering(lane: Lane<Q, A>): void {
    if (lane.linger) clearTimeout(lane.linger.timer)
    lane.linger = null
  }

  function keep(key: number, lane: Lane<Q, A>): void {
    if (lane.waiting.length > 0 || lane.running > 0 || lane.linger) lanes.set(key, lane)
    else lanes.delete(key)
  }

  return (request) =>
    new Promise((resolve, reject) => {
      const key = laneOf?.(request) ?? 0
      const lane = lanes.get(key) ?? {
        waiting: [],
        running: 0,
        answeredAt: Number.NEGATIVE_INFINITY,
        isBlocked: false,
        linger: null,
      }
      lanes.set(key, lane)
      lane.waiting.push({ request, since: performance.now(), token: actingToken(), resolve, reject })
      // Deferred, so that requests read in the same turn of the event loop go together.
      if (lane.running < runsOfLane && underWay < atOnce) setImmediate(start)
    })
}

function tooLate(): Refusal {
  return new Refusal('UNAVAILABLE', { retryAfter: 2 })
}
