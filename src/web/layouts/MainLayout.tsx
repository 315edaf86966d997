import { lazy, type ReactNode, Suspense } from 'react'
import { Link, Outlet, type PathMatch, useLocation, useMatch, useMatches } from 'react-router'
import * as texts from '../../texts/generated/staff.ts'
import { homeOf } from '../homes.ts'
import { homeOfPass } from '../passes/pass-home.ts'
import * as paths from '../paths.ts'
import { titleOf } from '../routing/page-route.ts'
import { targetOf } from '../routing/target.ts'
import { useSession } from '../session/session.ts'
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx'
import { Loading } from '../ui/Loading.tsx'
import { useIsWide } from '../ui/menus/use-is-wide.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { Footer } from './Footer.tsx'
import { TopBar } from './TopBar.tsx'
import { useFocusOnNavigation } from './use-focus-on-navigation.ts'
import { useScrollMemory } from './use-scroll-memory.ts'

// Signed-out users have this layout too, and need none of it.
const EventNav = lazy(async () => ({ default: (await import('../events/home/EventNav.tsx')).EventNav }))
const StaffTools = lazy(async () => ({ default: (await import('../palette/StaffTools.tsx')).StaffTools }))

/** The id of the event whose page is open; null on other pages, such as that for adding an event. */
function eventOf(match: PathMatch<'eventId'> | null): number | null {
  const text = match?.params.eventId ?? ''
  return /^\d+$/.test(text) ? Number(text) : null
}

/** The layout with the header. */
export function MainLayout() {
  const session = useSession()
  const isWide = useIsWide()
  const main = useFocusOnNavigation(targetOf(useLocation().pathname), useScrollMemory())
  const eventId = eventOf(useMatch('/event/:eventId/*'))
  const isPass = session?.user.isPass === true
  const isScanner = useMatch('/event/:eventId/scanner/:variant') !== null
  // The scanner needs the whole of a small screen.
  const hasRoom = !isScanner || isWide
  const hasEventNav = session?.user.role === 'admin' && !isPass && eventId !== null && hasRoom
  // With a helper pass there is nothing but the scanner.
  const menu = session && !isPass && `with-menu${hasEventNav ? ' with-event' : ''}${isScanner ? ' at-scanner' : ''}`
  return (
    <div className={menu || undefined}>
      <TopBar
        after={
          session &&
          !isPass && (
            <ErrorBoundary fallback={<Link to={paths.signout}>{texts.signOut()}</Link>}>
              {/* Its place is kept, so that nothing moves when it appears. */}
              <Suspense fallback={<span className="search" />}>
                <StaffTools user={session.user} eventId={hasEventNav ? eventId : null} isScanner={isScanner} />
              </Suspense>
            </ErrorBoundary>
          )
        }
        below={
          hasEventNav && (
            // The page itself works without the menu.
            <ErrorBoundary fallback={null}>
              <Suspense>
                <EventNav key={eventId} eventId={eventId} />
              </Suspense>
            </ErrorBoundary>
          )
        }
      >
        {session ? (
          <MenuLink to={isPass ? homeOfPass(session.user) : homeOf(session.user)}>
            {isPass ? texts.scanner() : texts.dashboard()}
          </MenuLink>
        ) : (
          <MenuLink to={paths.signin}>{texts.signIn()}</MenuLink>
        )}
      </TopBar>
      <main id="main" ref={main} tabIndex={-1}>
        <RouteTitle />
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
      </main>
      <Footer offered={session ? [] : undefined} hasVersion={session !== null} />
    </div>
  )
}

/** Rendered before the page, which may refine the title. */
function RouteTitle() {
  const { pathname } = useLocation()
  return <PageTitle key={pathname} title={titleOf(useMatches().at(-1)?.handle)} />
}

/** A menu entry, marked while its target is open. */
function MenuLink({ to, children }: { to: string; children: ReactNode }) {
  const isOpen = targetOf(useLocation().pathname) === targetOf(to)
  return (
    <Link to={to} aria-current={isOpen ? 'page' : undefined}>
      {children}
    </Link>
  )
}
