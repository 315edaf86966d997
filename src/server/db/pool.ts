import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type pg from 'pg'
import { withPatience } from '../patience.ts'

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
}

/**
 * A pool that waits for the answer to a statement no longer than it may, whatever the network does: limits on the server are of no use
 * when it cannot be reached. A connection that missed it is closed, and so are all that were opened before that moment: a
 * firewall that forgot one connection has forgotten the others, too.
 */
export function impatientPool(pool: pg.Pool, { answerMs, connectMs, pulse }: Limits): PostgresPool {
  const openedAt = new WeakMap<pg.PoolClient, number>()
  let trustedSince = Number.NEGATIVE_INFINITY
  pool.on('connect', (client) => openedAt.set(client, performance.now()))

  async function connect(): Promise<PostgresPoolClient> {
    for (;;) {
      const client = await take()
      if ((openedAt.get(client) ?? 0) >= trustedSince)
        return new Connection(client, answerMs, pulse, () => {
          trustedSince = performance.now()
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

/** One use of a pooled connection, from taking it to giving it back. */
class Connection implements PostgresPoolClient {
  readonly #client: pg.PoolClient
  readonly #patienceMs: number
  readonly #pulse: Pulse
  readonly #onSilence: () => void
  #isReleased = false
  #hasFailed = false

  constructor(client: pg.PoolClient, patienceMs: number, pulse: Pulse, onSilence: () => void) {
    this.#client = client
    this.#patienceMs = patienceMs
    this.#pulse = pulse
    this.#onSilence = onSilence
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
      return await this.#inTime<R>(statement, parameters)
    } catch (error) {
      this.#hasFailed = true
      throw error
    }
  }

  /** After a failure the first error is what counts: that the connection cannot even be rolled back must not hide it. */
  async #rollBack<R>(): Promise<PostgresQueryResult<R>> {
    const nothing: PostgresQueryResult<R> = { command: 'SELECT', rowCount: 0, rows: [] }
    try {
      if (!this.#isReleased) await this.#inTime<R>('rollback', [])
    } catch (error) {
      this.#close()
      if (!this.#hasFailed) throw error
    }
    return nothing
  }

  async #inTime<R>(statement: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    if (this.#isReleased) throw new NoAnswer(this.#patienceMs)
    const noteAnswer = this.#pulse.ask()
    try {
      const answer = this.#client.query(statement, [...parameters])
      const { command, rowCount, rows } = await withPatience(this.#patienceMs, answer, () => {
        this.#onSilence()
        this.#close()
        return new NoAnswer(this.#patienceMs)
      })
      return { command: toCommand(command), rowCount: rowCount ?? 0, rows }
    } finally {
      noteAnswer()
    }
  }

  release(): void {
    if (this.#isReleased) return
    this.#isReleased = true
    this.#client.release()
  }

  #close(): void {
    if (this.#isReleased) return
    this.#isReleased = true
    this.#client.release(true)
  }
}

type Command = PostgresQueryResult<unknown>['command']

function toCommand(command: string): Command {
  return command === 'INSERT' || command === 'UPDATE' || command === 'DELETE' || command === 'MERGE'
    ? command
    : 'SELECT'
}
