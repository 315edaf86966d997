import { useEffect, useState } from 'react'
import { serverNow } from '../api/server-time.ts'

const LOOK_MS = 30_000

/** The current time by the server's clock, updated every half minute and exactly at the moment awaited after the last update. */
export function useNow(awaitedAfter: (now: Date) => Date | null = () => null): Date {
  const [now, setNow] = useState(serverNow)
  const awaited = awaitedAfter(now)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), LOOK_MS)
    return () => clearInterval(timer)
  }, [])
  const left = awaited ? awaited.getTime() - now.getTime() : 0
  useEffect(() => {
    // A moment further away gets its timer after a later update.
    if (left <= 0 || left > 2 * LOOK_MS) return
    const timer = setTimeout(() => setNow(serverNow()), left)
    return () => clearTimeout(timer)
  }, [left])
  return now
}
