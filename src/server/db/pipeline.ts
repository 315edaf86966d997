import { Duplex } from 'node:stream'
import type pg from 'pg'

/** A statement as it is sent. */
interface Statement {
  name: string
  text: string
  values: readonly unknown[]
}

/** The answer to a pipeline, as one row: the rows of each of its statements. */
export interface PipelineAnswer {
  answers: unknown[][]
}

/** Statements that travel together over one connection; see `pipeline`. */
export class Pipeline {
  /** Shown in logs in place of a statement. */
  readonly text = '-- statements sent together'
  readonly statements: readonly Statement[]
  /** Whether the transaction's commit travels with them. */
  readonly isLast: boolean

  constructor(statements: readonly Statement[], isLast: boolean) {
    this.statements = statements
    this.isLast = isLast
  }
}

/** The database answered a commit with something else: it has not stored what was sent. */
class NotCommitted extends Error {
  override name = 'NotCommitted'
}

/** Sends a pipeline; `nameFor` says under which name a statement is kept prepared, if it is. */
export async function send(
  client: pg.PoolClient,
  { statements, isLast }: Pipeline,
  nameFor: (statement: Statement) => string | undefined,
): Promise<PipelineAnswer> {
  const stream = streamOf(client)
  stream?.cork()
  const sent = statements.map((statement) => {
    const name = nameFor(statement)
    const { text } = statement
    return client.query<unknown[]>({ text, values: [...statement.values], rowMode: 'array', ...(name && { name }) })
  })
  const commit = isLast ? client.query('commit') : null
  // If the connection breaks, the statements before it report that.
  commit?.catch(() => {})
  stream?.uncork()
  // Of several failures the first is the cause of the others.
  const answers = await Promise.all(sent)
  if (commit && (await commit).command !== 'COMMIT') throw new NotCommitted('The transaction was not committed.')
  return { answers: answers.map(inCamelCase) }
}

/** The socket of a connection; null where the driver keeps it elsewhere. */
export function streamOf(client: pg.PoolClient): Pick<Duplex, 'cork' | 'uncork' | 'destroy'> | null {
  if (!('connection' in client)) return null
  const { connection } = client
  if (typeof connection !== 'object' || connection === null || !('stream' in connection)) return null
  return connection.stream instanceof Duplex ? connection.stream : null
}

/** Columns' names in camel case, each made once: there are only so many. */
const camelCased = new Map<string, string>()

function camelCaseOf(name: string): string {
  const known = camelCased.get(name)
  if (known !== undefined) return known
  const made = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  camelCased.set(name, made)
  return made
}

function inCamelCase({ fields, rows }: pg.QueryArrayResult<unknown[]>): unknown[] {
  if (rows.length === 0) return []
  const names = fields.map(({ name }) => camelCaseOf(name))
  return rows.map((row) => {
    const named: Record<string, unknown> = {}
    // Counted by hand: this runs for each row of all lists, and `entries()` takes longer.
    let index = 0
    for (const name of names) named[name] = row[index++]
    return named
  })
}
