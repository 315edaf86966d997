import { Link, useParams } from 'react-router'
import { paths } from '../paths.ts'
import { PageTitle } from '../ui/PageTitle.tsx'

/** Shows the status and message of its address, as plain text. */
export function NotFoundPage() {
  const { status = '404', message = "Looks like you're lost!" } = useParams()
  return (
    <div className="page narrow">
      <PageTitle title="Not found" />
      <h1>{status.slice(0, 3)}</h1>
      <p>{message.slice(0, 200)}</p>
      <Link className="button" to={paths.landing}>
        To the start page
      </Link>
    </div>
  )
}
