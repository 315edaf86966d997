import Library from 'markdown-to-jsx'
import type { ReactNode } from 'react'

interface LinkProps {
  href?: string
  children?: ReactNode
}

/** Links leave for a page of their own and give us no weight with search engines. Addresses other than these are dropped. */
function Link({ href, children }: LinkProps) {
  if (!href || !/^(https?:|mailto:)/i.test(href)) return <>{children}</>
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  )
}

const NoImage = () => null

const options = {
  // HTML in the text is shown as text, never read as HTML.
  disableParsingRawHTML: true,
  forceBlock: true,
  overrides: { a: Link, img: NoImage, h1: 'h2' },
} as const

/** What a club wrote in Markdown, as React elements: no HTML of anybody's comes into the page. */
export function Markdown({ text }: { text: string }) {
  return (
    <div className="prose">
      <Library options={options}>{text}</Library>
    </div>
  )
}
