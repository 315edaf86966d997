import type { visitorClubApi } from '../../contract/club.ts'
import type { Payload } from '../../contract/endpoint.ts'
import { imageUrl } from '../../contract/values/images.ts'
import { FindForms } from '../landing/FindForms.tsx'
import { paths } from '../paths.ts'
import { initialsOf } from '../ui/initials.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { plural } from '../ui/plural.ts'
import styles from './ClubsPage.module.css'

interface Props {
  /** What was searched for; empty for all clubs. */
  name: string
  clubs: Payload<typeof visitorClubApi.findClubs>
}

/** The clubs that visitors find by name. */
export function ClubsPage({ name, clubs }: Props) {
  return (
    <div className="page">
      <PageTitle title="Find your club" />
      <h1>Find your club</h1>
      <p>
        {clubs.length > 0
          ? `${plural(clubs.length, 'club', 'clubs')}${name === '' ? '' : ` for “${name}”`}`
          : name === ''
            ? 'No club is listed here yet. Open the link that your club gave you.'
            : `No club matches “${name}”. Try a part of the name, or open the link that your club gave you.`}
      </p>
      <ul className={`cards ${styles.clubs}`}>
        {clubs.map(({ id, name: ofClub, location, logo }) => (
          <li key={id}>
            <a className={`card ${styles.club}`} href={paths.club(id)}>
              {logo === '' ? (
                <span className={styles.initials} aria-hidden="true">
                  {initialsOf(ofClub)}
                </span>
              ) : (
                <img src={imageUrl('club-logo', logo)} alt="" loading="lazy" />
              )}
              <span>
                <strong>{ofClub}</strong>
                {location !== '' && <span className="muted small">{location}</span>}
              </span>
            </a>
          </li>
        ))}
      </ul>
      <h2>Search again</h2>
      <FindForms name={name} />
    </div>
  )
}
