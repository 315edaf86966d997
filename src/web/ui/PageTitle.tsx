/** The document's title: the page's, then the product's. */
export function PageTitle({ title }: { title?: string }) {
  return <title>{title ? `${title} | Turnout` : 'Turnout'}</title>
}
