import { CompiledQuery, type RawBuilder } from 'kysely'
import { Pipeline, type PipelineAnswer } from './pipeline.ts'
import type { Db, Tx } from './schema.ts'
import { isPlanOutdated } from './violations.ts'

/** How many connections a pool has at most, unless the settings say otherwise. */
export const USUAL_CONNECTIONS = 16
/** The most that the settings can say. */
export const MOST_CONNECTIONS = 100

/** A statement of a hot path with its values. */
export interface BoundStatement<Row> {
  text: string
  /** The name under which PostgreSQL keeps it prepared; empty for one that it does not keep. */
  name: string
  values: readonly unknown[]
  /** For its type only: that of the rows. */
  row?: Row
}

/**
 * A statement of a hot path: its text is fixed, so that PostgreSQL parses and plans it once for many uses, and nothing is compiled here.
 * Its values are $1, $2, …; the rows come with their columns' names in camel case.
 */
export function statement<Row>(name: string, text: string): (...values: readonly unknown[]) => BoundStatement<Row> {
  return (...values) => ({ name, text, values })
}

/** Sends one of them. */
export async function runStatement<Row>(db: Db, sent: BoundStatement<Row>): Promise<Row[]> {
  const [rows] = await pipeline(db, [sent])
  return rows
}

/**
 * Sends a query that is built anew for each call, and whose rows are many: they get their names here in one step, where Kysely would copy each
 * row. PostgreSQL keeps no plan of it.
 */
export async function runBuilt<Row>(db: Db, query: RawBuilder<Row>): Promise<Row[]> {
  return runStatement(db, built(db, query))
}

/** A query that is built anew for each call, to be sent with others at once. */
export function built<Row>(db: Db, query: RawBuilder<Row>): BoundStatement<Row> {
  const { sql: text, parameters: values } = query.compile(db)
  return { name: '', text, values }
}

type Rows<S extends readonly BoundStatement<unknown>[]> = {
  -readonly [K in keyof S]: S[K] extends BoundStatement<infer Row> ? Row[] : never
}

/**
 * Sends several at once and waits for all answers: they run one after the other, each seeing the effects of those before. Fails with the
 * first that fails; within a transaction the others have failed with it.
 */
export function pipeline<const S extends readonly BoundStatement<unknown>[]>(db: Db, statements: S): Promise<Rows<S>> {
  return answersTo(db, statements, false)
}

/** The same for the last statements of a transaction; its commit is sent with them. Nothing may be sent after it. */
export function pipelineAndCommit<const S extends readonly BoundStatement<unknown>[]>(
  tx: Tx,
  statements: S,
): Promise<Rows<S>> {
  return answersTo(tx, statements, true)
}

async function answersTo<const S extends readonly BoundStatement<unknown>[]>(
  db: Db,
  statements: S,
  isLast: boolean,
): Promise<Rows<S>> {
  for (let tries = 1; ; tries++) {
    try {
      // Kysely sends one statement at a time over a connection; for it the whole pipeline is one.
      const pipeline = new Pipeline(statements, isLast)
      const { rows } = await db.executeQuery<PipelineAnswer>(CompiledQuery.raw(pipeline.text, [pipeline]))
      // By the types that `statement` gave to each; the database sends what its text asks for.
      return (rows[0]?.answers ?? []) as unknown as Rows<S>
    } catch (error) {
      // Each connection can meet it once. A transaction is retried by its caller.
      if (db.isTransaction || tries > MOST_CONNECTIONS || !isPlanOutdated(error)) throw error
    }
  }
}
