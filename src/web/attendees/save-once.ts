import { isRefused, Refusal } from '../../contract/errors.ts'

/**
 * Sends with one key for all attempts, so that only one thing is created. If an unanswered attempt arrived before the input was
 * changed, that attempt counts: it is sent again to get its result.
 */
export function saveOnce<W, S>(send: (wish: W) => Promise<S>): (wish: W) => Promise<{ saved: S; isEarlier: boolean }> {
  let unanswered: W[] = []
  return async (wish) => {
    try {
      return { saved: await send(wish), isEarlier: false }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (!isRefused(error)) unanswered = [...unanswered, wish]
      if (error.code !== 'IDEMPOTENCY_MISMATCH') throw error
      for (const earlier of unanswered) {
        try {
          return { saved: await send(earlier), isEarlier: true }
        } catch (failure) {
          if (!(failure instanceof Refusal) || failure.code !== error.code) throw failure
        }
      }
      throw error
    }
  }
}
