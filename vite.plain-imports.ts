import type { Plugin } from 'vite'

/**
 * Vite's helper for lazy parts also loads their style files and preloads what they import. Visitors' pages have one style file and
 * no such lists, so only the event that `reloadWhenGone` listens for is left of it.
 */
export const plainImports: Plugin = {
  name: 'plain-imports',
  apply: 'build',
  enforce: 'pre',
  load: {
    filter: { id: /vite\/preload-helper\.js$/ },
    handler: () => `
      export const __vitePreload = (load) =>
        load().catch((error) => {
          window.dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload: error }))
          throw error
        })`,
  },
}
