import { useEffect } from 'react'

/** The title set last, for the server's rendering. */
let latest = ''

/** The document's title: the page's, then the product's. The last one set wins, so a page refines the title of its route. */
export function PageTitle({ title }: { title: string }) {
  const whole = title === '' ? 'Turnout' : `${title} | Turnout`
  latest = whole
  useEffect(() => {
    document.title = whole
  }, [whole])
  return null
}

/** The title of the page that was rendered last, for the server. */
export function renderedTitle(): string {
  return latest
}
