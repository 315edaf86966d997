import { isRefused, Refusal } from '../../contract/errors.ts'

/**
 * Sends so that all tries, which share a key, make one thing. When an unanswered try had arrived before the input was changed, that try
 * counts: it is sent again to learn what it made.
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
