import type { ComponentType } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { HeaderlessLayout } from './layouts/HeaderlessLayout.tsx'
import { Problem } from './layouts/Problem.tsx'
import { SiteLayout } from './layouts/SiteLayout.tsx'
import { RegisterPage } from './registrations/RegisterPage.tsx'
import { TellRunning } from './rendered-page.ts'
import type { PageData } from './rendering/read-page.ts'

/** The props of each page: all the data that it shows. */
type PropsOf<P extends PageData['page']> = Omit<Extract<PageData, { page: P }>, 'page'>

/** Pages that the browser loads separately, because visitors of an event need none of them; the server has them all. */
export interface OtherPages {
  ClubPage: ComponentType<PropsOf<'club'>>
  RegisteredPage: ComponentType<PropsOf<'registered'>>
  LandingPage: ComponentType
  InfoPage: ComponentType<PropsOf<'info'>>
  NotFoundPage: ComponentType<PropsOf<'not found'>>
  SignInPage: ComponentType
  SignUpPage: ComponentType
  ForgotPasswordPage: ComponentType
  ResetPasswordPage: ComponentType
}

interface Props {
  data: PageData
  others: OtherPages
}

/** A page that the server renders, in its layout. */
export function PublicPage({ data, others }: Props) {
  const isOfClub = data.page === 'club' || data.page === 'event' || data.page === 'registered'
  const Layout = isOfClub ? HeaderlessLayout : SiteLayout
  return (
    <Layout>
      <ErrorBoundary FallbackComponent={Problem}>
        <PageOf data={data} others={others} />
      </ErrorBoundary>
      <TellRunning />
    </Layout>
  )
}

function PageOf({ data, others }: Props) {
  switch (data.page) {
    case 'event':
      return <RegisterPage {...data} />
    case 'club':
      return <others.ClubPage {...data} />
    case 'registered':
      return <others.RegisteredPage {...data} />
    case 'info':
      return <others.InfoPage {...data} />
    case 'not found':
      return <others.NotFoundPage {...data} />
    case 'landing':
      return <others.LandingPage />
    case 'sign in':
      return <others.SignInPage />
    case 'sign up':
      return <others.SignUpPage />
    case 'forgot password':
      return <others.ForgotPasswordPage />
    case 'reset password':
      return <others.ResetPasswordPage />
  }
}
