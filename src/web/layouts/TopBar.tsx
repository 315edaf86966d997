import './MainLayout.css'
import type { ReactNode } from 'react'
import { paths } from '../paths.ts'

/** The bar at the top of a page: the way past it, the product's name, and what the layout has for a menu. */
export function TopBar({ children }: { children: ReactNode }) {
  return (
    <>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <header className="topbar">
        <a className="wordmark" href={paths.landing}>
          <img src="/favicon.svg" alt="" width="32" height="32" />
          <span>Turnout</span>
        </a>
        <nav aria-label="Main">{children}</nav>
      </header>
    </>
  )
}
