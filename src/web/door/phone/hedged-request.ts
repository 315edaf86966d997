/**
 * A request without an answer is repeated in parallel after this time, in ms: after a dead spot of the network no more time is lost
 * than this and the duration of the request itself.
 */
export const REPEAT_AFTER_MS = 1_500

/** Options for a `call` that is aborted after too long a silence. */
export interface CallControl {
  signal: AbortSignal
  watch: (response: Response) => Response
}

/** Aborts a call when no byte of its answer has arrived for this time, in ms, or when `over` aborts. `onHeard` is called for each chunk. */
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
  /** Whether this failure is the server's own refusal, so that repeating the request would give the same. */
  isFinal: (error: unknown) => boolean
  /** The longest silence of one attempt, in ms. */
  silenceMs: number
  /** The time after which an unanswered request is repeated in parallel, in ms; null for no more repetitions. */
  repeatAfterMs: () => number | null
  /** Called when part of an answer has arrived; `isRepeated`: it answers a repetition, so earlier requests may be lost. */
  onHeard: (isRepeated: boolean) => void
}

/** A request in progress. */
export interface HedgedRequest<T> {
  answer: Promise<T>
  /** Aborts all attempts and sends the request again at once, because the network has changed. */
  restart: () => void
  /** Rejects the answer, because it is no longer needed. */
  cancel: () => void
}

/**
 * Sends a request until it is answered or all its attempts have failed. A request sent in a dead spot may hang for a minute although the
 * network is back, so it is soon repeated in parallel, and the first answer counts.
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
        // While an answer is arriving, repeating the request gains nothing.
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
