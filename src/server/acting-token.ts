import { AsyncLocalStorage } from 'node:async_hooks'

const acting = new AsyncLocalStorage<string | null>()

/** Does work for a call that came with the API token of this name; null: without one. What it changes is logged with the name. */
export function actingWith<T>(tokenName: string | null, work: () => T): T {
  // Once the storage is entered, Node.js runs its hooks at every promise, which takes a twentieth of the CPU of a registration.
  if (tokenName === null && acting.getStore() === undefined) return work()
  return acting.run(tokenName, work)
}

/** The name of the API token that the current work is done with; null for none. */
export function actingToken(): string | null {
  return acting.getStore() ?? null
}
