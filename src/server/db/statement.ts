import { CompiledQuery } from 'kysely'
import { Flight, type FlightAnswer } from './flight.ts'
import type { Db, Tx } from './schema.ts'
import { isPlanOutdated } from './violations.ts'

/** How many connections a pool has at the most. */
export const MOST_CONNECTIONS = 16

/** A statement of a hot path with its values. */
export interface Sent<Row> {
  text: string
  /** Under which PostgreSQL keeps it prepared. */
  name: string
  values: readonly unknown[]
  /** Only a type: what its rows are. */
  row?: Row
}

/**
 * A statement of a hot path: its text is fixed, so that PostgreSQL parses and plans it once for many uses, and we compile nothing. Values
 * stand in it as $1, $2, …; the rows come with their columns' names in camel case.
 */
export function statement<Row>(name: string, text: string): (...values: readonly unknown[]) => Sent<Row> {
  return (...values) => ({ name, text, values })
}

/** Sends one of them. */
export async function ask<Row>(db: Db, sent: Sent<Row>): Promise<Row[]> {
  const [rows] = await fly(db, [sent])
  return rows
}

type Rows<S extends readonly Sent<unknown>[]> = {
  -readonly [K in keyof S]: S[K] extends Sent<infer Row> ? Row[] : never
}

/**
 * Sends several at once and waits for all answers: they are carried out one after the other, each on what is there by then. Fails
 * with the first that fails; within a transaction the others have failed with it.
 */
export function fly<const S extends readonly Sent<unknown>[]>(db: Db, statements: S): Promise<Rows<S>> {
  return answersTo(db, statements, false)
}

/** The same for the last statements of a transaction, with which its commit travels. Nothing may be sent after it. */
export function flyAndCommit<const S extends readonly Sent<unknown>[]>(tx: Tx, statements: S): Promise<Rows<S>> {
  return answersTo(tx, statements, true)
}

async function answersTo<const S extends readonly Sent<unknown>[]>(
  db: Db,
  statements: S,
  isLast: boolean,
): Promise<Rows<S>> {
  for (let tries = 1; ; tries++) {
    try {
      // Kysely sends one statement at a time over a connection; for it the whole flight is one.
      const flight = new Flight(statements, isLast)
      const { rows } = await db.executeQuery<FlightAnswer>(CompiledQuery.raw(flight.text, [flight]))
      // By the types that `statement` gave to each; the database sends what its text asks for.
      return (rows[0]?.answers ?? []) as unknown as Rows<S>
    } catch (error) {
      // Each connection meets it once. A transaction is begun again by whoever made it.
      if (db.isTransaction || tries > MOST_CONNECTIONS || !isPlanOutdated(error)) throw error
    }
  }
}
