import type { PostgresCursor, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type pg from 'pg'
import { withPatience } from '../../patience.ts'
import { Pipeline, type PipelineAnswer, send, streamOf } from '../pipeline.ts'
import { isPlanOutdated } from '../violations.ts'
import { NoAnswer } from './no-answer.ts'
import type { Prepared } from './prepared.ts'
import type { Pulse } from './pulse.ts'

interface Use {
  prepared: Prepared | null
  patienceMs: number
  pulse: Pulse
  onSilence: () => void
}

const nothing: PostgresQueryResult<never> = { command: 'SELECT', rowCount: 0, rows: [] }

/** One use of a pooled connection, from taking it to giving it back. */
export class Connection implements PostgresPoolClient {
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
      // Already sent with the last pipeline.
      if (statement === 'commit' && this.#isCommitted) return nothing
      const [pipeline] = parameters
      if (pipeline instanceof Pipeline) return await this.#withBegin(() => this.#sendPipeline<R>(pipeline))
      // A statement that writes must not be carried out if the transaction could not begin.
      await this.#withBegin(async () => {})
      return await this.#send<R>(statement, parameters)
    } catch (error) {
      this.#hasFailed = true
      if (isPlanOutdated(error)) this.#use.prepared?.renew()
      throw error
    }
  }

  /** Does the first work of a transaction; `begin` is sent together with it. */
  async #withBegin<T>(work: () => Promise<T>): Promise<T> {
    const begun = this.#beginning
    this.#beginning = null
    const done = work()
    this.#write()
    if (begun) await Promise.all([begun, done])
    return done
  }

  /** Not awaited: it is sent with the first pipeline, which fails if this one does. Batched runs begin with a pipeline. */
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

  /** After a failure the first error counts: a rollback that fails too must not hide it. */
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
      send(this.#client, pipeline, ({ name }) => (name === '' ? undefined : this.#use.prepared?.nameFor(name))),
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
