import { Button } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { clubApi } from '../../contract/clubs.ts'
import { query } from '../api/call.ts'
import { paths } from '../paths.ts'
import { PageTitle } from '../ui/PageTitle.tsx'

/** The operator's clubs. */
export function SudoDashboardPage() {
  const { data: clubs } = useSuspenseQuery(query(clubApi.getAllClubs, {}))
  return (
    <div className="page">
      <PageTitle title="Clubs" />
      <div className="row spread">
        <h1>Clubs</h1>
        <Button component={Link} to={paths.addClub} size="md">
          Add a club
        </Button>
      </div>
      {clubs.length === 0 && <p>There is no club yet. Add the first one, then generate a credential for its admin.</p>}
      <ul className="cards">
        {clubs.map((club) => (
          <li className="card" key={club.id}>
            <h2>{club.name}</h2>
            <p className="muted">
              {club.location && `${club.location} · `}
              {club.eventCount === 1 ? '1 event' : `${club.eventCount} events`}
            </p>
            <div className="row">
              <Button component={Link} to={paths.credential(club.id)} variant="light">
                Credentials
              </Button>
              <Button component={Link} to={paths.editClub(club.id)} variant="subtle">
                Edit
              </Button>
              <Button component="a" href={paths.club(club.id)} variant="subtle">
                Club page
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </div>
  )
}
