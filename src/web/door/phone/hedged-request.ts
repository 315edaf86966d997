/**
 * A request without an answer is repeated beside the first after this time, in ms: after a dead spot of the network no more time is lost
 * than this and the request itself.
 */
export const REPEAT_AFTER_MS = 1_500

/** How a call is made that ends when nothing is heard for too long; see `call`. */
export interface CallControl {
  signal: AbortSignal
  watch: (response: Response) => Response
}

/** Ends a call when no byte of its answer has come for this time, in ms, or when `over` aborts. `onHeard` is called for each piece. */
export function limitSilence(silenceMs: number, over: AbortSignal, onHeard: () => void = () => {}): CallControl {
  const ended = new AbortController()
  const end = () => ended.abort()
  let timer = setTimeout(end, silenceMs)
  const heard = () => {
    clearTimeout(timer)
    timer = setTimeout(end, silenceMs)
    onHeard()
  }
  if (over.aborted) end()
  over.addEventListener('abort', end, { once: true, signal: ended.signal })
  const watch = (response: Response) => {
    // An answer that is not ours, such as a hotel's sign-in page, does not count.
    if (!response.headers.get('content-type')?.includes('json') || !response.body) return response
    heard()
    const pieces = new TransformStream<Uint8Array, Uint8Array>({
      transform: (piece, next) => {
        heard()
        next.enqueue(piece)
      },
    })
    return new Response(response.body.pipeThrough(pieces), response)
  }
  return { signal: ended.signal, watch }
}

interface Options<T> {
  /** Makes the request once. */
  send: (control: CallControl) => Promise<T>
  /** Whether this failure is the server's own refusal, so that a repetition would get the same. */
  isFinal: (error: unknown) => boolean
  /** How long nothing may be heard of one try, in ms. */
  silenceMs: number
  /** After which time the next repetition is sent beside tries without an answer; null for no more. */
  repeatAfterMs: () => number | null
  /** Something of an answer has come; `isRepeated`: of a repetition, so that what was sent earlier may be lost. */
  onHeard: (isRepeated: boolean) => void
}

/** A request that is under way. */
export interface HedgedRequest<T> {
  answer: Promise<T>
  /** Aborts what is under way and sends the request again at once: the network has changed. */
  restart: () => void
  /** Rejects the answer: it is not needed any more. */
  cancel: () => void
}

/**
 * Sends a request until it is answered or all its tries have failed. What was sent into a dead spot may be lost for a minute although the
 * network is back, so the request is soon repeated beside it, and the first answer counts.
 */
export function hedgedRequest<T>({ send, isFinal, silenceMs, repeatAfterMs, onHeard }: Options<T>): HedgedRequest<T> {
  let over = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let pending = 0
  let sent = 0
  let begin = () => {}
  let cancel = () => {}
  const answer = new Promise<T>((resolve, reject) => {
    cancel = () => reject(new Error('This answer is not needed any more.'))
    const repeatSoon = () => {
      const ms = repeatAfterMs()
      clearTimeout(timer)
      if (ms !== null) timer = setTimeout(begin, ms)
    }
    begin = () => {
      pending++
      const mine = over
      const isRepeated = sent++ > 0
      const heard = () => {
        // While an answer arrives, a repetition gains nothing.
        clearTimeout(timer)
        onHeard(isRepeated)
      }
      send(limitSilence(silenceMs, over.signal, heard)).then(resolve, (error: unknown) => {
        pending--
        if (mine !== over) return
        if (pending <= 0 || isFinal(error)) reject(error)
      })
      repeatSoon()
    }
    begin()
  })
  const end = () => {
    clearTimeout(timer)
    begin = () => {}
    over.abort()
  }
  answer.then(end, end)
  return {
    answer,
    cancel,
    restart: () => {
      const old = over
      over = new AbortController()
      begin()
      old.abort()
    },
  }
}
