import { type ReactNode, Suspense } from 'react'
import { targetOf } from '../target.ts'
import { Loading } from '../ui/Loading.tsx'
import { Footer } from './Footer.tsx'
import { useFocusOnNavigation } from './use-focus-on-navigation.ts'

/** The layout of a club's public pages: nothing but the page. */
export function HeaderlessLayout({ path, children }: { path: string; children: ReactNode }) {
  const main = useFocusOnNavigation(targetOf(path))
  return (
    <>
      <main id="main" ref={main} tabIndex={-1}>
        <Suspense fallback={<Loading />}>{children}</Suspense>
      </main>
      <Footer />
    </>
  )
}
