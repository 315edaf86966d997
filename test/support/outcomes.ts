import { expect } from 'vitest'
import { Refusal } from '../../src/contract/errors.ts'

/** Waits for all calls and counts their outcomes: `ok`, or the code of the refusal. Any other error is rethrown. */
export async function countOutcomes(calls: Promise<unknown>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const result of await Promise.allSettled(calls)) {
    const name = result.status === 'fulfilled' ? 'ok' : codeOf(result.reason)
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

function codeOf(error: unknown): string {
  if (error instanceof Refusal) return error.code
  throw error
}

/** Expects the call to be refused with this code, and returns the refusal. */
export async function refusalOf(call: Promise<unknown>, code: string): Promise<Refusal> {
  const error: unknown = await call.then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(Refusal)
  if (!(error instanceof Refusal)) throw error
  expect(error.code).toBe(code)
  return error
}

/** Runs `work` for each item, at most `concurrency` at a time. */
export function atOnce<T, R>(items: readonly T[], concurrency: number, work: (item: T) => Promise<R>): Promise<R>[] {
  const queue = [...items.entries()]
  const results = items.map(() => withResolvers<R>())
  async function next(): Promise<void> {
    for (let entry = queue.shift(); entry; entry = queue.shift()) {
      const [index, item] = entry
      await work(item).then(results[index]?.resolve, results[index]?.reject)
    }
  }
  for (let n = 0; n < concurrency; n++) void next()
  return results.map(({ promise }) => promise)
}

// Promise.withResolvers is not in Node 20.
function withResolvers<R>() {
  let resolve: (value: R) => void = () => {}
  let reject: (reason: unknown) => void = () => {}
  const promise = new Promise<R>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}

/** The refusal code of an unread answer; `ok` if it is not a refusal. */
export const answerCode = async (response: Response) => (response.ok ? 'ok' : String((await response.json()).code))

/** The number of answers for each code. */
export async function tally(responses: Promise<Response>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const response of await Promise.all(responses)) {
    const code = await answerCode(response)
    counts[code] = (counts[code] ?? 0) + 1
  }
  return counts
}
