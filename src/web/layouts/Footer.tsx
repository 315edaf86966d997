import { pageTitles, pageTypes } from '../../contract/pages.ts'
import { PRODUCT_VERSION } from '../../contract/version.ts'
import type { Language } from '../../texts/language.ts'
import * as paths from '../paths.ts'
import { LanguageChoice } from './LanguageChoice.tsx'

/** The links to the static pages and the choice of the language, at the foot of every page. */
export function Footer({ offered }: { offered?: readonly Language[] | undefined }) {
  return (
    <footer className="footer">
      <LanguageChoice offered={offered} />
      {pageTypes.map((type) => (
        <a key={type} href={paths.page(type)}>
          {pageTitles[type]()}
        </a>
      ))}
      <span className="muted">Turnout {PRODUCT_VERSION}</span>
    </footer>
  )
}
