import { readToken } from '../session/token.ts'

/** Marks the document when somebody is signed in here, for the pages that are the same for everybody: see SiteLayout.css. */
export function markSignedIn(): void {
  const mark = () => document.documentElement.toggleAttribute('data-signed-in', readToken() !== null)
  mark()
  // Another tab may sign in or out, or the page may come back from the browser's cache.
  window.addEventListener('storage', mark)
  window.addEventListener('pageshow', mark)
}
