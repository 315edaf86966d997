import { pageTitles, pageTypes } from '../../contract/pages.ts'
import { PRODUCT_VERSION } from '../../contract/version.ts'
import { paths } from '../paths.ts'

/** The links to the static pages, at the foot of every page. */
export function Footer() {
  return (
    <footer className="footer">
      {pageTypes.map((type) => (
        <a key={type} href={paths.page(type)}>
          {pageTitles[type]()}
        </a>
      ))}
      <span className="muted">Turnout {PRODUCT_VERSION}</span>
    </footer>
  )
}
