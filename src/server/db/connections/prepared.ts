/** A plan that is older, in ms, is made anew: another connection may have filled the tables meanwhile. */
const OLDEST_PLAN_MS = 10_000

/** What is needed of a connection. */
interface Client {
  query: (text: string) => Promise<unknown>
}

interface Plan {
  /** How often the statement was sent. */
  count: number
  generation: number
  /** By `performance.now()`. */
  madeAt: number
}

/** The hot statements that one connection has prepared. */
export class Prepared {
  readonly #client: Client
  readonly #plans = new Map<string, Plan>()
  #stale: string[] = []

  constructor(client: Client) {
    this.#client = client
  }

  /** The name to send this statement under. A plan reflects the tables when it was made, so it is renewed from time to time. */
  nameFor(name: string): string {
    const now = performance.now()
    const plan = this.#plans.get(name) ?? { count: 0, generation: 0, madeAt: now }
    if (isPlanDue(plan.count) || now - plan.madeAt > OLDEST_PLAN_MS) {
      this.#stale.push(`${name} ${plan.generation}`)
      plan.generation++
      plan.madeAt = now
    }
    plan.count++
    this.#plans.set(name, plan)
    return `${name} ${plan.generation}`
  }

  /** A table has changed since a statement was prepared, as in an upgrade while we run: all are prepared again. */
  renew(): void {
    const madeAt = performance.now()
    for (const [name, { generation }] of this.#plans) {
      this.#stale.push(`${name} ${generation}`)
      this.#plans.set(name, { count: 0, generation: generation + 1, madeAt })
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
