import Bowser from 'bowser'

/** A browser and its system in words, such as `Chrome` and `Android`; empty where the header does not tell. */
export function deviceOf(userAgent: string): { browser: string; system: string } {
  // The library refuses an empty text.
  if (userAgent === '') return { browser: '', system: '' }
  // Longer ones are made up, and are not worth the time.
  const { browser, os } = Bowser.parse(userAgent.slice(0, 500))
  return { browser: browser.name?.slice(0, 50) ?? '', system: os.name?.slice(0, 50) ?? '' }
}
