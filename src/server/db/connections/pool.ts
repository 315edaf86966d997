import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { withPatience } from '../../patience.ts'
import { Connection } from './connection.ts'
import { NoAnswer } from './no-answer.ts'
import { Prepared } from './prepared.ts'
import type { Pulse } from './pulse.ts'

interface Limits {
  /** How long to wait for a statement's answer, in ms. */
  answerMs: number
  /** How long to wait for a free or new connection, in ms. */
  connectMs: number
  pulse: Pulse
  /** Whether hot statements are kept prepared under names; a pooler in front of PostgreSQL may not support that. */
  isNaming: boolean
}

/**
 * A pool that limits the wait for a statement's answer on the client: the server's own limits do not help when it cannot be reached. A
 * connection that exceeds the limit is closed, and so are all that were opened before that moment: a firewall that dropped one connection
 * has dropped the others, too.
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

  /** A connection that comes too late is returned unused. */
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
