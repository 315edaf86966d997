import { QueryErrorResetBoundary } from '@tanstack/react-query'
import { lazy } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { Route, Switch, useLocation } from 'wouter'
import { HeaderlessLayout } from './layouts/HeaderlessLayout.tsx'
import { Problem } from './layouts/Problem.tsx'
import { paths } from './paths.ts'
import { readId } from './read-id.ts'
import { RegisterPage } from './registrations/RegisterPage.tsx'

// Visitors who open the link of an event do not need it.
const ClubPage = lazy(async () => ({ default: (await import('./events/ClubPage.tsx')).ClubPage }))

// The ticket's QR code is drawn only once there is a ticket.
const RegisteredPage = lazy(async () => ({
  default: (await import('./registrations/RegisteredPage.tsx')).RegisteredPage,
}))

/** The pages of the headerless layout, which visitors see: a club, an event, a registration that succeeded. */
export function Pages() {
  const [path] = useLocation()
  return (
    <HeaderlessLayout path={path}>
      <QueryErrorResetBoundary>
        {({ reset }) => (
          <ErrorBoundary FallbackComponent={Problem} onReset={reset} resetKeys={[path]}>
            <Switch>
              <Route path="/club/:clubId/event/:eventId/success">
                <RegisteredPage />
              </Route>
              <Route path="/club/:clubId/event/:eventId">
                {({ clubId, eventId }) => (
                  // What belongs to one event is never shown with another.
                  <RegisterPage key={eventId} clubId={readId(clubId)} eventId={readId(eventId)} />
                )}
              </Route>
              <Route path="/club/:clubId/event">{({ clubId }) => <ClubPage clubId={readId(clubId)} />}</Route>
              <Route>{leave}</Route>
            </Switch>
          </ErrorBoundary>
        )}
      </QueryErrorResetBoundary>
    </HeaderlessLayout>
  )
}

function leave() {
  window.location.replace(paths.notFound())
  return null
}
