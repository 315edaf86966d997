import { useEffect } from 'react'

/** Keeps the screen on while the page is visible, if the browser supports it. */
export function useWakeLock(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | null = null
    let isGone = false
    const hold = async () => {
      if (!('wakeLock' in navigator) || document.visibilityState !== 'visible') return
      // Refused when the battery is low: then the screen turns off as usual.
      const held = await navigator.wakeLock.request('screen').catch(() => null)
      if (isGone) await held?.release()
      else lock = held
    }
    // The browser releases it whenever the page is hidden.
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
