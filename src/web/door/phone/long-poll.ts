/**
 * What is not answered for so long, in ms, is asked once more beside it: a dead spot costs no more than this after it, and the requests
 * themselves.
 */
export const AGAIN_MS = 1_500

/** How a call is made that is given up when nothing is heard for too long; see `call`. */
export interface Listening {
  signal: AbortSignal
  watch: (response: Response) => Response
}

/** A call ends when nothing of its answer has come for so long, in ms, or when `over` says so; `onHeard` hears of each piece of it. */
export function listen(silenceMs: number, over: AbortSignal, onHeard: () => void = () => {}): Listening {
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
    // What is not ours, as of a hotel's sign-in page, is no answer.
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

interface Look<T> {
  /** Asks once. */
  ask: (how: Listening) => Promise<T>
  /** Whether this failure is the server's own word, so that asking again comes to the same. */
  isFinal: (error: unknown) => boolean
  /** How long nothing may be heard of one try. */
  silenceMs: number
  /** After which time another is begun beside those that nothing has been heard of; null where one is enough. */
  againMs: () => number | null
  /** Something has come of an answer; `isLater`: of one that was begun beside another, so that what was sent before may be lost. */
  onHeard: (isLater: boolean) => void
}

/** A look that is under way. */
export interface Looking<T> {
  answer: Promise<T>
  /** Gives up what is under way and asks anew, at once: the network is another. */
  anew: () => void
  /** Nobody waits for it any more. */
  stop: () => void
}

/**
 * Asks until there is an answer, or nothing is left to hope for. What was sent into a dead spot may be lost for a minute, although the
 * network is back: so another is asked soon, beside it, and whichever is answered first counts.
 */
export function look<T>({ ask, isFinal, silenceMs, againMs, onHeard }: Look<T>): Looking<T> {
  let over = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let tries = 0
  let begun = 0
  let begin = () => {}
  let stop = () => {}
  const answer = new Promise<T>((resolve, reject) => {
    stop = () => reject(new Error('Nobody waits for this any more.'))
    const soon = () => {
      const ms = againMs()
      clearTimeout(timer)
      if (ms !== null) timer = setTimeout(begin, ms)
    }
    begin = () => {
      tries++
      const mine = over
      const isLater = begun++ > 0
      const heard = () => {
        // While it comes, nothing is gained by asking beside it.
        clearTimeout(timer)
        onHeard(isLater)
      }
      ask(listen(silenceMs, over.signal, heard)).then(resolve, (error: unknown) => {
        tries--
        if (mine !== over) return
        if (tries <= 0 || isFinal(error)) reject(error)
      })
      soon()
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
    stop,
    anew: () => {
      const old = over
      over = new AbortController()
      begin()
      old.abort()
    },
  }
}
