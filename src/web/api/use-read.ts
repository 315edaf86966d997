import { useCallback, useEffect, useState } from 'react'
import { Refusal } from '../../contract/errors.ts'

/**
 * Reading from a public page, after the page itself was rendered: what was read last, the error if it could not be read, and `read` to
 * try again. `ask` must be the same function until something else is to be read.
 */
export function useRead<T>(ask: () => Promise<T>) {
  const [data, setData] = useState<T | null>(null)
  const [error, setError] = useState<Refusal | null>(null)
  const [isReading, setReading] = useState(false)
  const read = useCallback(async () => {
    setReading(true)
    try {
      setData(await ask())
      setError(null)
    } catch (failure) {
      if (!(failure instanceof Refusal)) throw failure
      setError(failure)
    } finally {
      setReading(false)
    }
  }, [ask])
  useEffect(() => void read(), [read])
  return { data, error, isReading, read }
}
