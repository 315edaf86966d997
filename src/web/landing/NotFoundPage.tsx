import { Link, useParams } from 'react-router'
import { useSession } from '../api/session.ts'
import { homeOf } from '../guards.ts'
import { paths } from '../paths.ts'

/** Shows the status and message of its address, as plain text. */
export function NotFoundPage() {
  const { status = '404', message = "Looks like you're lost!" } = useParams()
  const session = useSession()
  return (
    <div className="page narrow">
      <h1>{status.slice(0, 3)}</h1>
      <p>{message.slice(0, 200)}</p>
      {session ? (
        <Link className="button" to={homeOf(session.user)}>
          To your dashboard
        </Link>
      ) : (
        <Link className="button" to={paths.landing}>
          To the start page
        </Link>
      )}
    </div>
  )
}
