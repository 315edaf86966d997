import { isRefused, Refusal } from '../../contract/errors.ts'

/**
 * A way to send that makes one thing of all its tries, which have the same key. When one without an answer had arrived before what
 * was sent was changed, that one is it: sent again, it says what it has made.
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
