import { useEffect } from 'react'

/** Keeps the screen on while the page is in view, where the browser can. */
export function useWakeLock(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | null = null
    let isGone = false
    const hold = async () => {
      if (!('wakeLock' in navigator) || document.visibilityState !== 'visible') return
      // Refused when the battery is low: then the screen goes dark as it always does.
      const held = await navigator.wakeLock.request('screen').catch(() => null)
      if (isGone) await held?.release()
      else lock = held
    }
    // The browser lets go of it whenever the page is out of view.
    const again = () => void hold()
    document.addEventListener('visibilitychange', again)
    again()
    return () => {
      isGone = true
      document.removeEventListener('visibilitychange', again)
      void lock?.release()
    }
  }, [])
}
