import { type ReactNode, Suspense } from 'react'
import { Loading } from '../ui/Loading.tsx'
import { Footer } from './Footer.tsx'

/** The layout of a club's public pages: nothing but the page. */
export function HeaderlessLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <main id="main" className="visitors" tabIndex={-1}>
        <Suspense fallback={<Loading />}>{children}</Suspense>
      </main>
      <Footer />
    </>
  )
}
