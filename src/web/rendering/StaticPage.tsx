import { ClubsPage } from '../clubs/ClubsPage.tsx'
import { ClubPage } from '../events/ClubPage.tsx'
import { LandingPage } from '../landing/LandingPage.tsx'
import { NotFoundPage } from '../landing/NotFoundPage.tsx'
import { InfoPage } from '../pages/InfoPage.tsx'
import type { StaticData } from './page-data.ts'

/** A page that is complete without script. */
export function StaticPage({ data }: { data: StaticData }) {
  switch (data.page) {
    case 'club':
      return <ClubPage {...data} />
    case 'clubs':
      return <ClubsPage {...data} />
    case 'info':
      return <InfoPage {...data} />
    case 'not found':
      return <NotFoundPage {...data} />
    case 'landing':
      return <LandingPage />
  }
}
