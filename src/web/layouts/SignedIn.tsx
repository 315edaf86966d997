import { lazy, Suspense, useEffect, useState } from 'react'
import { matchPath, Navigate, Outlet, useLocation, useNavigate } from 'react-router'
import { Refusal } from '../../contract/errors.ts'
import * as texts from '../../texts/generated/staff.ts'
import { homeOf, toSignIn } from '../homes.ts'
import { settleConfirming, useAskedProof } from '../session/confirm-identity.ts'
import { Owner, useOwner } from '../session/owner.ts'
import { useSession } from '../session/session.ts'
import { askFor, settleWaiting, useIsWaiting } from '../session/sign-in-again.ts'
import { loadAhead } from '../start/reload-when-gone.ts'
import { useHasUnsaved } from '../ui/dialogs/unsaved.ts'
import { Loading } from '../ui/Loading.tsx'
import { useOnDemand } from '../ui/use-on-demand.ts'

// Loads the interface kit too, which not every page has.
const loadDialog = async () => (await import('./SignInDialog.tsx')).SignInDialog

const loadConfirm = async () => (await import('../security/ConfirmDialog.tsx')).ConfirmDialog
const HeldSetUp = lazy(async () => ({ default: (await import('../security/HeldSetUp.tsx')).HeldSetUp }))
const MustSetUp = lazy(async () => ({ default: (await import('../security/MustSetUp.tsx')).MustSetUp }))

/** The club of the page's owner, on pages of `adminOnly`. */
export function useOwnClub(): number {
  const { user } = useOwner()
  if (user.clubId === null) throw new Refusal('NOT_FOUND')
  return user.clubId
}

/**
 * The pages that need a session. When it ends, here or in another tab, they redirect to sign-in, except that a page with
 * unsaved work stays and says so. Whoever must set up a second factor does that first, except that unsaved work and the scanner stay. When somebody else signs in, nothing of the page remains.
 */
export function SignedIn() {
  const session = useSession()
  const [owner, setOwner] = useState(session)
  if (session && session !== owner && (!owner || owner.user.id === session.user.id)) setOwner(session)
  const isWaiting = useIsWaiting()
  const isHeld = useHasUnsaved() || isWaiting
  const location = useLocation()
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const stop = () => {
    setAsking(false)
    settleWaiting(false)
  }
  const isOpen = !session && (isAsking || isWaiting)
  const SignInDialog = useOnDemand(loadDialog, isOpen, stop)
  useEffect(() => {
    // Loaded ahead, because there may be no network when it is needed.
    if (isHeld) loadAhead(loadDialog)
  }, [isHeld])
  const askedProof = useAskedProof()
  const ConfirmDialog = useOnDemand(loadConfirm, askedProof !== null, () => settleConfirming(false))
  // Recovery codes are shown only once: the page stays until they are kept.
  const [hasCodes, setHasCodes] = useState(false)
  const mustSetUp = owner?.user.mustSetUp === true || hasCodes
  // The page that was open when the club began to require a second factor; null once it was left.
  const [openBefore, setOpenBefore] = useState<string | null>(null)
  const nextOpen = mustSetUp && openBefore !== location.pathname ? null : location.pathname
  if (nextOpen !== openBefore) setOpenBefore(nextOpen)
  const isScanner = matchPath('/event/:eventId/scanner/:variant', location.pathname) !== null
  const isKept = openBefore === location.pathname && (isHeld || isScanner)
  const isAnother = session !== null && owner !== null && session.user.id !== owner.user.id

  const ownerId = owner?.user.id ?? null
  useEffect(() => (ownerId === null ? undefined : askFor(ownerId)), [ownerId])
  useEffect(() => {
    if (!session) return
    settleWaiting(!isAnother)
    if (isAnother) settleConfirming(false)
    setAsking(false)
    // By now the page and its guard are unmounted.
    if (isAnother) void Promise.resolve(navigate(homeOf(session.user), { replace: true })).then(() => setOwner(session))
  }, [session, isAnother, navigate])

  if (isAnother) return <Loading />
  if (!owner || (!session && !isHeld)) return <Navigate to={toSignIn(location)} replace />
  return (
    <Owner value={owner}>
      {!session && (
        <div className="page signed-out">
          <div className="problem row spread" role="alert">
            <span>{texts.signedOutHeading()}</span>
            <button type="button" className="button" onClick={() => setAsking(true)}>
              {texts.signInAgain()}
            </button>
          </div>
        </div>
      )}
      {SignInDialog && <SignInDialog owner={owner.user} isOpen={isOpen} onClose={stop} />}
      {ConfirmDialog && <ConfirmDialog asked={session && askedProof} />}
      {mustSetUp && isKept && (
        <Suspense fallback={null}>
          <HeldSetUp opens={!isScanner} onCodes={setHasCodes} />
        </Suspense>
      )}
      <Suspense fallback={<Loading />}>
        {mustSetUp && !isKept ? <MustSetUp onCodes={setHasCodes} /> : <Outlet />}
      </Suspense>
    </Owner>
  )
}
