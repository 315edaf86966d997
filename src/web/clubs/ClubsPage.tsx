import type { visitorClubApi } from '../../contract/club.ts'
import type { Payload } from '../../contract/endpoint.ts'
import { FindClubForm } from '../landing/FindForms.tsx'
import { paths } from '../paths.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { plural } from '../ui/plural.ts'
import { ClubMark } from './ClubMark.tsx'
import styles from './ClubsPage.module.css'

interface Props {
  /** What was searched for; empty for all clubs. */
  name: string
  clubs: Payload<typeof visitorClubApi.findClubs>
}

/** The clubs that visitors find by name. */
export function ClubsPage({ name, clubs }: Props) {
  return (
    <div className="page narrow">
      <PageTitle title="Find your club" />
      <h1>Find your club</h1>
      <search className={`card ${styles.search}`}>
        <FindClubForm name={name} />
      </search>
      <p>
        {clubs.length > 0
          ? `${plural(clubs.length, 'club', 'clubs')}${name === '' ? '' : ` for “${name}”`}`
          : name === ''
            ? 'No club is listed here yet. Open the link that your club gave you.'
            : `No club matches “${name}”. Try a part of the name, or open the link that your club gave you.`}
      </p>
      <ul className={`cards ${styles.clubs}`}>
        {clubs.map((club) => (
          <li key={club.id}>
            <a className={`card ${styles.club}`} href={paths.club(club.id)}>
              <ClubMark club={club} size="medium" />
              <span>
                <strong>{club.name}</strong>
                {club.location !== '' && <span className="muted small">{club.location}</span>}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
