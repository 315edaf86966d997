import { Link } from 'react-router'
import * as texts from '../../../texts/generated/door.ts'
import * as paths from '../../paths.ts'
import { useOwner } from '../../session/owner.ts'
import type { DoorView } from '../phone/door.ts'

/** The page when access was revoked or the event was removed. */
export function ClosedDoor({ queued }: Pick<DoorView, 'queued'>) {
  const { isPass } = useOwner().user
  return (
    <div className="page narrow">
      <h1>{isPass ? texts.passHasEnded() : texts.thisDoorIsClosed()}</h1>
      <p>{isPass ? texts.thanksForHelping() : texts.eventGone()}</p>
      {isPass ? (
        <>
          <p role="status">{queued === 0 ? texts.everythingSent() : texts.keepPageOpen({ count: queued })}</p>
          {/* The page behind it sends what is left, and says when it cannot. */}
          <Link className={queued === 0 ? 'button' : 'button light'} to={paths.signout}>
            {texts.finish()}
          </Link>
        </>
      ) : (
        <Link to={paths.adminDashboard}>{texts.toYourEvents()}</Link>
      )}
    </div>
  )
}
