import { type ReactNode, Suspense } from 'react'
import type { Language } from '../../texts/language.ts'
import { Loading } from '../ui/Loading.tsx'
import { Footer } from './Footer.tsx'

interface Props {
  /** The languages that the club offers; all for a page without a club. */
  offered?: readonly Language[] | undefined
  children: ReactNode
}

/** The layout of a club's public pages: nothing but the page. */
export function HeaderlessLayout({ offered, children }: Props) {
  return (
    <>
      <main id="main" className="visitors" tabIndex={-1}>
        <Suspense fallback={<Loading />}>{children}</Suspense>
      </main>
      <Footer offered={offered} />
    </>
  )
}
