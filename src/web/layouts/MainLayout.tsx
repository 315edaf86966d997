import { Suspense } from 'react'
import { Link, NavLink, Outlet, useLocation } from 'react-router'
import type { CurrentUser } from '../../contract/auth.ts'
import { imageUrl } from '../../contract/images.ts'
import { useSession } from '../api/session.ts'
import { homeOf } from '../guards.ts'
import { paths } from '../paths.ts'
import { Loading } from '../ui/Loading.tsx'
import { Footer } from './Footer.tsx'
import { useFocusOnNavigation } from './use-focus-on-navigation.ts'

/** The layout with the header. */
export function MainLayout() {
  const session = useSession()
  const main = useFocusOnNavigation(useLocation().pathname)
  return (
    <>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <header className="topbar">
        <Link className="wordmark" to={paths.landing}>
          <img src="/favicon.svg" alt="" />
          <span>Turnout</span>
        </Link>
        <nav aria-label="Main">
          {session ? <StaffLinks user={session.user} /> : <NavLink to={paths.signin}>Sign in</NavLink>}
        </nav>
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
      </main>
      <Footer />
    </>
  )
}

function StaffLinks({ user }: { user: CurrentUser }) {
  return (
    <>
      <NavLink to={homeOf(user)}>Dashboard</NavLink>
      {user.role === 'admin' && user.clubId !== null && <a href={paths.club(user.clubId)}>Club page</a>}
      <NavLink to={paths.profile} className="person">
        <img src={imageUrl('user', user.image)} alt="" width="28" height="28" />
        <span>{user.fullName}</span>
      </NavLink>
      <Link to={paths.signout}>Sign out</Link>
    </>
  )
}
