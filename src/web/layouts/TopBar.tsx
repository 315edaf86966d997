import * as texts from '../../texts/generated/staff.ts'
import './MainLayout.css'
import type { ReactNode } from 'react'
import * as paths from '../paths.ts'

/** The bar at the top of a page: the skip link, the product's name, and the layout's menu, with what is `after` and `below` it. */
export function TopBar({ children, after, below }: { children: ReactNode; after?: ReactNode; below?: ReactNode }) {
  return (
    <>
      <a className="skip" href="#main">
        {texts.skipToTheContent()}
      </a>
      <header className="topbar">
        <a className="wordmark" href={paths.landing}>
          <img src="/favicon.svg" alt="" width="32" height="32" />
          <span>{texts.turnout()}</span>
        </a>
        <nav data-nav="main" className="menu" aria-label={texts.main()}>
          {children}
        </nav>
        {after}
        {below}
      </header>
    </>
  )
}
