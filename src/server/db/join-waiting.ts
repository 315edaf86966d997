interface Options<Q> {
  /** How many requests one run takes at the most. */
  most: number
  /** How many runs may be under way at once. */
  atOnce: number
  /** Two requests that share a key never go into the same run: the later one waits for the next. */
  keysOf: (request: Q) => readonly string[]
  /** Whether a failed run of several is worth running one by one, because one of them alone may be at fault. */
  isWorthSplitting: (error: unknown) => boolean
}

interface Waiting<Q, A> {
  request: Q
  resolve: (answer: A) => void
  reject: (error: unknown) => void
}

/**
 * Joins the requests that wait at the same moment into one run, each with an answer of its own. A lone request waits
 * for nobody. `run` answers in the order of its requests.
 */
export function joinWaiting<Q, A>(
  run: (requests: Q[]) => Promise<A[]>,
  options: Options<Q>,
): (request: Q) => Promise<A> {
  let waiting: Waiting<Q, A>[] = []
  let underWay = 0

  function takeBatch(): Waiting<Q, A>[] {
    const batch: Waiting<Q, A>[] = []
    const later: Waiting<Q, A>[] = []
    const taken = new Set<string>()
    for (const each of waiting) {
      const keys = options.keysOf(each.request)
      if (batch.length >= options.most || keys.some((key) => taken.has(key))) later.push(each)
      else {
        for (const key of keys) taken.add(key)
        batch.push(each)
      }
    }
    waiting = later
    return batch
  }

  async function answer(batch: Waiting<Q, A>[]): Promise<void> {
    try {
      const answers = await run(batch.map(({ request }) => request))
      batch.forEach(({ resolve, reject }, index) => {
        const found = answers[index]
        if (found === undefined) reject(new Error('A run left a request without an answer.'))
        else resolve(found)
      })
    } catch (error) {
      if (batch.length > 1 && options.isWorthSplitting(error)) for (const each of batch) await answer([each])
      else for (const { reject } of batch) reject(error)
    }
  }

  async function start(): Promise<void> {
    underWay++
    while (waiting.length > 0) await answer(takeBatch())
    underWay--
  }

  return (request) =>
    new Promise((resolve, reject) => {
      waiting.push({ request, resolve, reject })
      // Not at once, so that requests read in the same turn of the event loop go together.
      if (underWay < options.atOnce) setImmediate(() => underWay < options.atOnce && waiting.length > 0 && void start())
    })
}
