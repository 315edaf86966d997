import { pageTitles, pageTypes } from '../../contract/pages.ts'
import { PRODUCT_VERSION } from '../../contract/version.ts'
import type { Language } from '../../texts/language.ts'
import * as paths from '../paths.ts'
import { LanguageChoice } from './LanguageChoice.tsx'

interface Props {
  offered?: readonly Language[] | undefined
  /** Visitors have no use for the version. */
  hasVersion?: boolean
}

/** The links to the static pages and the choice of the language, at the foot of every page. */
export function Footer({ offered, hasVersion = false }: Props) {
  return (
    <footer className="footer">
      <LanguageChoice offered={offered} />
      {pageTypes.map((type) => (
        <a key={type} href={paths.page(type)}>
          {pageTitles[type]()}
        </a>
      ))}
      {hasVersion && <span className="muted">Turnout {PRODUCT_VERSION}</span>}
    </footer>
  )
}
