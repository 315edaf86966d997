import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type pg from 'pg'
import { withPatience } from '../patience.ts'
import { Pipeline, type PipelineAnswer, send, streamOf } from './pipeline.ts'
import { isPlanOutdated } from './violations.ts'

/** A statement of which nothing was heard in time: whether it was carried out is not known. */
class NoAnswer extends Error {
  override name = 'NoAnswer'
  readonly code = 'ETIMEDOUT'
  constructor(ms: number) {
    super(`The database did not answer within ${ms} ms.`)
  }
}

interface Limits {
  /** How long a statement is waited for, in ms. */
  answerMs: number
  /** How long a free or new connection is waited for, in ms. */
  connectMs: number
  pulse: Pulse
  /** Whether hot statements are kept prepared under names; a pooler between us and PostgreSQL may not be able to. */
  isNaming: boolean
}

/**
 * A pool that waits for the answer to a statement no longer than it may, whatever the network does: limits on the server are of no use
 * when it cannot be reached. A connection that missed it is closed, and so are all that were opened before that moment: a
 * firewall that forgot one connection has forgotten the others, too.
 */
export function impatientPool(pool: pg.Pool, { answerMs, connectMs, pulse, isNaming }: Limits): PostgresPool {
  const prepared = new WeakMap<pg.PoolClient, Prepared>()
  const openedAt = new WeakMap<pg.PoolClient, number>()
  let trustedSince = Number.NEGATIVE_INFINITY
  pool.on('connect', (client) => {
    openedAt.set(client, performance.now())
    if (isNaming) prepared.set(client, new Prepared(client))
  })

  async function connect(): Promise<PostgresPoolClient> {
    for (;;) {
      const client = await take()
      if ((openedAt.get(client) ?? 0) >= trustedSince)
        return new Connection(client, {
          prepared: prepared.get(client) ?? null,
          patienceMs: answerMs,
          pulse,
          onSilence: () => {
            trustedSince = performance.now()
          },
        })
      client.release(true)
    }
  }

  /** A connection that comes too late goes back unused. */
  async function take(): Promise<pg.PoolClient> {
    const taking = pool.connect()
    const stopWaiting = pulse.wait()
    return withPatience(connectMs, taking, () => {
      taking.then((client) => client.release()).catch(() => {})
      return new NoAnswer(connectMs)
    }).finally(stopWaiting)
  }

  return { connect, end: () => pool.end() }
}

const WINDOW_MS = 2_000
/** No statement is faster than this while the database is slow, in ms. A busy one still answers some quickly. */
const SLOW_MS = 250

/** Measures how long the database takes to answer, by its fastest answer of the last seconds. */
export class Pulse {
  #waiting = 0
  #windowStart = 0
  #fastest = Number.POSITIVE_INFINITY
  #fastestBefore = Number.POSITIVE_INFINITY

  /** Something waits for the database. Answers the function to call when it no longer does. */
  wait(): () => void {
    this.#waiting++
    return () => {
      this.#waiting--
    }
  }

  /** A statement is sent. Answers the function to call when it is answered, or given up. */
  ask(): () => void {
    const sentAt = performance.now()
    const stopWaiting = this.wait()
    return () => {
      stopWaiting()
      this.#turnWindow()
      this.#fastest = Math.min(this.#fastest, performance.now() - sentAt)
    }
  }

  /** Whether something waits and no statement was answered quickly for some seconds: the database or the way to it is slow, or silent. */
  isSlow(): boolean {
    this.#turnWindow()
    return this.#waiting > 0 && Math.min(this.#fastest, this.#fastestBefore) > SLOW_MS
  }

  #turnWindow(): void {
    const now = performance.now()
    const age = now - this.#windowStart
    if (age < WINDOW_MS) return
    this.#fastestBefore = age < 2 * WINDOW_MS ? this.#fastest : Number.POSITIVE_INFINITY
    this.#fastest = Number.POSITIVE_INFINITY
    this.#windowStart = now
  }
}

/** The hot statements that one connection has prepared. */
class Prepared {
  readonly #client: pg.PoolClient
  readonly #uses = new Map<string, { count: number; generation: number }>()
  #stale: string[] = []

  constructor(client: pg.PoolClient) {
    this.#client = client
  }

  /** The name to send this statement under. A plan is made for its tables as they are then, so it is made anew from time to time. */
  nameFor(name: string): string {
    const { count, generation } = this.#uses.get(name) ?? { count: 0, generation: 0 }
    const isDue = isPlanDue(count)
    if (isDue) this.#stale.push(`${name} ${generation}`)
    const current = isDue ? generation + 1 : generation
    this.#uses.set(name, { count: count + 1, generation: current })
    return `${name} ${current}`
  }

  /** A table has changed since a statement was prepared, as in an upgrade while we run: all are prepared anew. */
  renew(): void {
    for (const [name, { generation }] of this.#uses) {
      this.#stale.push(`${name} ${generation}`)
      this.#uses.set(name, { count: 0, generation: generation + 1 })
    }
  }

  /** Frees what is no longer used. Not within a transaction: one that fails would take the transaction with it. */
  forgetStale(): void {
    for (const name of this.#stale) this.#client.query(`deallocate "${name}"`).catch(() => {})
    this.#stale = []
  }
}

/** After 1, 2, 4, … uses, since a table that is new doubles quickly, and then after every hundred. */
function isPlanDue(uses: number): boolean {
  return uses >= 100 ? uses % 100 === 0 : uses > 0 && (uses & (uses - 1)) === 0
}

interface Use {
  prepared: Prepared | null
  patienceMs: number
  pulse: Pulse
  onSilence: () => void
}

const nothing: PostgresQueryResult<never> = { command: 'SELECT', rowCount: 0, rows: [] }

/** One use of a pooled connection, from taking it to giving it back. */
class Connection implements PostgresPoolClient {
  readonly #client: pg.PoolClient
  readonly #use: Use
  /** The answer to `begin`, until the next statement has waited for it. */
  #beginning: Promise<unknown> | null = null
  /** The socket while `begin` is held back. */
  #stream: ReturnType<typeof streamOf> = null
  #isReleased = false
  #hasFailed = false
  #isCommitted = false

  constructor(client: pg.PoolClient, use: Use) {
    this.#client = client
    this.#use = use
  }

  query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  query<R>(
    statement: string | PostgresCursor<R>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    if (typeof statement !== 'string') throw new Error('Cursors are not used.')
    return this.#execute<R>(statement, parameters)
  }

  async #execute<R>(statement: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    if (statement === 'rollback') return this.#rollBack()
    try {
      if (statement === 'begin') return this.#begin()
      // It has travelled with the last pipeline.
      if (statement === 'commit' && this.#isCommitted) return nothing
      const [pipeline] = parameters
      if (pipeline instanceof Pipeline) return await this.#withBegin(() => this.#sendPipeline<R>(pipeline))
      // A statement that writes must not be carried out where the transaction could not begin.
      await this.#withBegin(async () => {})
      return await this.#send<R>(statement, parameters)
    } catch (error) {
      this.#hasFailed = true
      if (isPlanOutdated(error)) this.#use.prepared?.renew()
      throw error
    }
  }

  /** Does what comes first in a transaction; `begin` is written with what it sends. */
  async #withBegin<T>(work: () => Promise<T>): Promise<T> {
    const begun = this.#beginning
    this.#beginning = null
    const done = work()
    this.#write()
    if (begun) await Promise.all([begun, done])
    return done
  }

  /** Not waited for: it travels with the first pipeline, which fails where this one does. Pipelines come first where runs are set up. */
  #begin(): PostgresQueryResult<never> {
    this.#stream = streamOf(this.#client)
    this.#stream?.cork()
    this.#beginning = this.#send('begin', [])
    this.#beginning.catch(() => {})
    return nothing
  }

  /** Sends what was held back since `begin`. */
  #write(): void {
    this.#stream?.uncork()
    this.#stream = null
  }

  /** After a failure the first error is what counts: that the connection cannot even be rolled back must not hide it. */
  async #rollBack<R>(): Promise<PostgresQueryResult<R>> {
    try {
      const answer = this.#isReleased ? null : this.#send<R>('rollback', [])
      this.#write()
      await answer
    } catch (error) {
      this.#close()
      if (!this.#hasFailed) throw error
    }
    return nothing
  }

  async #sendPipeline<R>(pipeline: Pipeline): Promise<PostgresQueryResult<R>> {
    const answer = await this.#inTime(() =>
      send(this.#client, pipeline, ({ name }) => this.#use.prepared?.nameFor(name)),
    )
    this.#isCommitted = pipeline.isLast
    // `pipeline` alone sends pipelines, and asks for this row.
    return { ...nothing, rows: [answer satisfies PipelineAnswer as R] }
  }

  async #send<R>(statement: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    const { command, rowCount, rows } = await this.#inTime(() => this.#client.query(statement, [...parameters]))
    return { command: toCommand(command), rowCount: rowCount ?? 0, rows }
  }

  async #inTime<T>(work: () => Promise<T>): Promise<T> {
    const { patienceMs, pulse, onSilence } = this.#use
    if (this.#isReleased) throw new NoAnswer(patienceMs)
    const noteAnswer = pulse.ask()
    try {
      return await withPatience(patienceMs, work(), () => {
        onSilence()
        this.#close()
        return new NoAnswer(patienceMs)
      })
    } finally {
      noteAnswer()
    }
  }

  release(): void {
    if (this.#isReleased) return
    this.#isReleased = true
    this.#use.prepared?.forgetStale()
    this.#client.release()
  }

  #close(): void {
    if (this.#isReleased) return
    this.#isReleased = true
    this.#client.release(true)
    // The driver would wait for the answers that never came.
    streamOf(this.#client)?.destroy()
  }
}

type Command = PostgresQueryResult<unknown>['command']

function toCommand(command: string): Command {
  return command === 'INSERT' || command === 'UPDATE' || command === 'DELETE' || command === 'MERGE'
    ? command
    : 'SELECT'
}
