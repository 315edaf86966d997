import { type ComponentType, useMemo } from 'react'
import type { Club } from '../contract/club.ts'
import { offeredBy } from '../contract/values/languages.ts'
import { ClubColours } from './layouts/ClubColours.tsx'
import { HeaderlessLayout } from './layouts/HeaderlessLayout.tsx'
import { Problem } from './layouts/Problem.tsx'
import { SiteLayout } from './layouts/SiteLayout.tsx'
import type { FormParts } from './registrations/form-parts-of.ts'
import type { WhatNextProps } from './registrations/WhatNext.tsx'
import { TellRunning } from './rendered-page.ts'
import { inOwnWords } from './rendering/own-words.ts'
import type { AccountLinkPageName, PageData, StaticData, TicketData } from './rendering/page-data.ts'
import { ErrorBoundary } from './ui/ErrorBoundary.tsx'

/** The props of each page: all the data that it shows. */
type PropsOf<P extends PageData['page']> = Omit<Extract<PageData, { page: P }>, 'page'>

/** What the browser loads separately, each for the pages that need it; the server has it all. */
export interface OtherPages {
  RegisterPage: ComponentType<PropsOf<'event'> & Pick<OtherPages, 'WhatNext' | 'formParts'>>
  StaticPage: ComponentType<{ data: StaticData }>
  WhatNext: ComponentType<WhatNextProps>
  formParts: FormParts
  RegisteredPage: ComponentType<PropsOf<'registered'>>
  TicketPage: ComponentType<{ data: TicketData }>
  SignInPage: ComponentType
  SignUpPage: ComponentType
  AccountLinkPage: ComponentType<{ page: AccountLinkPageName }>
}

interface Props {
  data: PageData
  others: OtherPages
}

/** A page that the server renders, in its layout. */
export function PublicPage({ data: read, others }: Props) {
  const data = useMemo(() => inOwnWords(read), [read])
  const club = clubOf(data)
  const content = (
    <>
      {club && <ClubColours colour={club.colour} />}
      <ErrorBoundary FallbackComponent={Problem}>
        <PageOf data={data} others={others} />
      </ErrorBoundary>
      <TellRunning />
    </>
  )
  if (club) return <HeaderlessLayout offered={offeredBy(club)}>{content}</HeaderlessLayout>
  if (data.page === 'no ticket') return <HeaderlessLayout>{content}</HeaderlessLayout>
  if (data.page === 'voucher') return <HeaderlessLayout offered={[]}>{content}</HeaderlessLayout>
  return <SiteLayout isSignIn={data.page === 'sign in'}>{content}</SiteLayout>
}

/** The club whose page this is; null for all others. */
function clubOf(data: PageData): Club | null {
  if ('club' in data) return data.club
  if (data.page === 'no ticket') return data.former?.club ?? null
  return 'ticket' in data ? data.ticket.club : null
}

function PageOf({ data, others }: Props) {
  switch (data.page) {
    case 'event':
      return <others.RegisterPage {...data} WhatNext={others.WhatNext} formParts={others.formParts} />
    case 'registered':
      return <others.RegisteredPage {...data} />
    case 'ticket':
    case 'voucher':
    case 'order':
    case 'no ticket':
      return <others.TicketPage data={data} />
    case 'sign in':
      return <others.SignInPage />
    case 'sign up':
      return <others.SignUpPage />
    case 'forgot password':
    case 'reset password':
    case 'confirm address':
    case 'invitation':
      return <others.AccountLinkPage page={data.page} />
    default:
      return <others.StaticPage data={data} />
  }
}
