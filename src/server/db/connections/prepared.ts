import type pg from 'pg'

/** The hot statements that one connection has prepared. */
export class Prepared {
  readonly #client: pg.PoolClient
  readonly #uses = new Map<string, { count: number; generation: number }>()
  #stale: string[] = []

  constructor(client: pg.PoolClient) {
    this.#client = client
  }

  /** The name to send this statement under. A plan reflects the tables when it was made, so it is renewed from time to time. */
  nameFor(name: string): string {
    const { count, generation } = this.#uses.get(name) ?? { count: 0, generation: 0 }
    const isDue = isPlanDue(count)
    if (isDue) this.#stale.push(`${name} ${generation}`)
    const current = isDue ? generation + 1 : generation
    this.#uses.set(name, { count: count + 1, generation: current })
    return `${name} ${current}`
  }

  /** A table has changed since a statement was prepared, as in an upgrade while we run: all are prepared again. */
  renew(): void {
    for (const [name, { generation }] of this.#uses) {
      this.#stale.push(`${name} ${generation}`)
      this.#uses.set(name, { count: 0, generation: generation + 1 })
    }
  }

  /** Frees stale statements. Not within a transaction: one that fails would abort the transaction. */
  forgetStale(): void {
    for (const name of this.#stale) this.#client.query(`deallocate "${name}"`).catch(() => {})
    this.#stale = []
  }
}

/** After 1, 2, 4, … uses, since a new table grows quickly, and then after every hundred. */
function isPlanDue(uses: number): boolean {
  return uses >= 100 ? uses % 100 === 0 : uses > 0 && (uses & (uses - 1)) === 0
}
