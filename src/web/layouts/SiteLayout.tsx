import * as texts from '../../texts/generated/common.ts'
import './SiteLayout.css'
import { type ReactNode, Suspense } from 'react'
import * as paths from '../paths.ts'
import { Loading } from '../ui/Loading.tsx'
import { Footer } from './Footer.tsx'
import { TopBar } from './TopBar.tsx'

/**
 * The layout of the pages that explain Turnout. They work without JavaScript. The server does not know who is signed in, so the page has
 * the links for both cases, and `markSignedIn` shows the right ones. `isSignIn`: the page for signing in itself.
 */
export function SiteLayout({ isSignIn, children }: { isSignIn: boolean; children: ReactNode }) {
  return (
    <>
      <TopBar>
        {!isSignIn && (
          <a className="when-signed-out" href={paths.signin}>
            {texts.signIn()}
          </a>
        )}
        <a className="when-signed-in" href={paths.dashboard}>
          {texts.dashboard()}
        </a>
      </TopBar>
      <main id="main" className="visitors" tabIndex={-1}>
        <Suspense fallback={<Loading />}>{children}</Suspense>
      </main>
      <Footer />
    </>
  )
}
