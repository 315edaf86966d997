import { Link } from 'react-router'
import { paths } from '../../paths.ts'

/** The page when access was revoked or the event was removed. */
export function ClosedDoor() {
  return (
    <div className="page narrow">
      <h1>This door is closed</h1>
      <p>The event is gone, or you may not see it any more. Its list has been removed from this phone.</p>
      <Link to={paths.adminDashboard}>To your events</Link>
    </div>
  )
}
