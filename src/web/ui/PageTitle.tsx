import { useEffect } from 'react'

/** The document's title: the page's, then the product's. The last one set counts, so a page refines the title of its route. */
export function PageTitle({ title }: { title: string }) {
  useEffect(() => {
    document.title = title === '' ? 'Turnout' : `${title} | Turnout`
  }, [title])
  return null
}
