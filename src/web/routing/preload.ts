import { matchRoutes } from 'react-router'
import { loadAhead } from '../start/reload-when-gone.ts'
import { router } from './router.tsx'

/**
 * Loads a page's code as soon as somebody hovers, focuses or touches a link to it, before they open it. Its data are requested only when
 * it is opened.
 */
export function preloadOnIntent(): () => void {
  const seen = new Set<string>()
  const preload = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest('a') : null
    if (!link || link.origin !== window.location.origin || seen.has(link.pathname)) return
    seen.add(link.pathname)
    for (const { route } of matchRoutes(router.routes, link.pathname) ?? [])
      if (typeof route.lazy === 'function') loadAhead(route.lazy)
  }
  const signs = ['pointerover', 'focusin', 'touchstart'] as const
  for (const sign of signs) document.addEventListener(sign, preload, { passive: true })
  return () => {
    for (const sign of signs) document.removeEventListener(sign, preload)
  }
}
