import { useEffect, useRef, useState } from 'react'
import type { Door } from '../phone/door.ts'
import { keepReporting } from './keep-reporting.ts'
import type { Report } from './report-of.ts'

/** Reports this phone to the board while the scanner is open. Returns where the camera tells its state. */
export function useReports(door: Door, opensOffline: boolean) {
  const [camera, setCamera] = useState<Report['camera']>('starting')
  const facts = useRef({ opensOffline, camera })
  facts.current = { opensOffline, camera }
  useEffect(() => {
    const stop = new AbortController()
    keepReporting(door, () => facts.current, stop.signal)
    return () => stop.abort()
  }, [door])
  return setCamera
}
