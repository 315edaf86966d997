/** Longer keys, in characters, are not kept: a thousand of them would fill the memory. */
const LONGEST_KEY = 400

/** Makes each value once, and keeps the `most` last used. What it is made of must be plain data; what failed is made anew the next time. */
export function remember<Given, Made>(most: number, make: (given: Given) => Made): (given: Given) => Made {
  // A Map keeps the order of insertion: the first is the one not used for the longest time.
  const kept = new Map<string, { made: Made }>()

  function makeAnew(key: string, given: Given): { made: Made } {
    const made = make(given)
    if (made instanceof Promise) made.catch(() => kept.delete(key))
    return { made }
  }

  return (given) => {
    const key = typeof given === 'string' ? given : JSON.stringify(given)
    if (key.length > LONGEST_KEY) return make(given)
    const known = kept.get(key) ?? makeAnew(key, given)
    kept.delete(key)
    kept.set(key, known)
    const [oldest] = kept.keys()
    if (kept.size > most && oldest !== undefined) kept.delete(oldest)
    return known.made
  }
}
