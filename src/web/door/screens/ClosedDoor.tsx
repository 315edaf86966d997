import { Link } from 'react-router'
import * as texts from '../../../texts/generated/door.ts'
import { paths } from '../../paths.ts'

/** The page when access was revoked or the event was removed. */
export function ClosedDoor() {
  return (
    <div className="page narrow">
      <h1>{texts.thisDoorIsClosed()}</h1>
      <p>{texts.eventGone()}</p>
      <Link to={paths.adminDashboard}>{texts.toYourEvents()}</Link>
    </div>
  )
}
