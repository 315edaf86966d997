import type { visitorClubApi } from '../../contract/club.ts'
import type { Payload } from '../../contract/endpoint.ts'
import * as texts from '../../texts/generated/club.ts'
import { FindClubForm } from '../landing/FindForms.tsx'
import * as paths from '../paths.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { ClubMark } from './ClubMark.tsx'
import styles from './ClubsPage.module.css'

interface Props {
  /** What was searched for; empty for all clubs. */
  name: string
  clubs: Payload<typeof visitorClubApi.findClubs>
}

/** The clubs that visitors find by name. */
export function ClubsPage({ name, clubs }: Props) {
  const count = clubs.length
  const found = name === '' ? texts.clubCount({ count }) : texts.clubCountFor({ count, name })
  const none = name === '' ? texts.noneListed() : texts.noneFound({ name })
  return (
    <div className="page narrow">
      <PageTitle title={texts.findYourClub()} />
      <h1>{texts.findYourClub()}</h1>
      <search className={`card ${styles.search}`}>
        <FindClubForm name={name} />
      </search>
      <p>{count > 0 ? found : none}</p>
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
