import { useEffect, useState } from 'react'
import type { Payload } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import { acceptFields, teamApi } from '../../contract/team.ts'
import { teamRoleNames } from '../../contract/team-role-names.ts'
import { notLoaded } from '../../texts/generated/common.ts'
import * as texts from '../../texts/generated/invitation.ts'
import { call, callFull } from '../api/call.ts'
import { useStore } from '../api/store.ts'
import { homeOf } from '../homes.ts'
import { deleteStaffTickets } from '../offline/ticket-caches.ts'
import * as paths from '../paths.ts'
import { Field } from '../ui/forms/Field.tsx'
import { PasswordField } from '../ui/forms/PasswordField.tsx'
import { PlainForm } from '../ui/forms/PlainForm.tsx'
import { usePlainForm } from '../ui/forms/use-plain-form.ts'
import { Loading } from '../ui/Loading.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'
import { deleteDoorLists } from './delete-door-lists.ts'
import { enter } from './enter.ts'

type Invitation = Payload<typeof teamApi.readInvitation>
/** What is known of the invitation so far. */
type Read = Invitation | 'not yet' | 'expired' | 'declined' | Refusal

/** Where somebody who was invited joins a club's team. The link's token follows the `#`, so that no server on the way sees it. */
export function InvitationPage() {
  const token = useStore({ subscribe: onHashChange, get: () => window.location.hash.slice(1), initial: null })
  if (token === null)
    return (
      <div className="page narrow">
        <PageTitle title={texts.joinTheTeam()} />
        <h1>{texts.joinTheTeam()}</h1>
        <p className="problem" role="alert" hidden data-not-loaded>
          {notLoaded()}
        </p>
        <Loading />
        <noscript>
          <p>{texts.needsJavascript()}</p>
        </noscript>
      </div>
    )
  // Another link opened in the same tab is another invitation.
  return <OneInvitation key={token} token={token} />
}

/** Focuses what replaces a pressed button, so that it is read and the focus is not lost. */
const takeFocus = (element: HTMLElement | null) => element?.focus()

function onHashChange(onChange: () => void): () => void {
  window.addEventListener('hashchange', onChange)
  return () => window.removeEventListener('hashchange', onChange)
}

function OneInvitation({ token }: { token: string }) {
  const [invitation, setInvitation] = useState<Read>('not yet')
  const [tries, setTries] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try reads again.
  useEffect(() => {
    let isLeft = false
    void readInvitation(token).then((read) => {
      if (!isLeft) setInvitation(read)
    })
    return () => {
      isLeft = true
    }
  }, [token, tries])
  const title =
    invitation === 'expired'
      ? texts.noLonger()
      : typeof invitation === 'string' || invitation instanceof Refusal
        ? texts.joinTheTeam()
        : texts.joinTeamOf({ club: invitation.clubName })
  return (
    <div className="page narrow">
      <PageTitle title={title} />
      <h1>{title}</h1>
      {invitation === 'expired' ? (
        <Expired />
      ) : invitation === 'declined' ? (
        <p className="card" ref={takeFocus} tabIndex={-1}>
          {texts.declined()}
        </p>
      ) : invitation instanceof Refusal ? (
        <div className="card">
          <p role="alert">{invitation.message}</p>
          <button
            type="button"
            className="button"
            onClick={() => {
              setInvitation('not yet')
              setTries(tries + 1)
            }}
          >
            {texts.tryAgain()}
          </button>
        </div>
      ) : invitation !== 'not yet' ? (
        <>
          <JoinForm invitation={invitation} token={token} />
          <Decline
            token={token}
            onDeclined={() => setInvitation('declined')}
            onExpired={() => setInvitation('expired')}
          />
        </>
      ) : (
        <Loading />
      )}
    </div>
  )
}

async function readInvitation(token: string): Promise<Read> {
  try {
    return await call(teamApi.readInvitation, { token }, { isTold: true })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.code === 'LINK_EXPIRED' ? 'expired' : error
  }
}

function Expired() {
  return (
    <div className="card">
      <p role="alert">{texts.expiredText()}</p>
      <a className="button" href={paths.signin}>
        {texts.signIn()}
      </a>
    </div>
  )
}

function JoinForm({ invitation, token: link }: { invitation: Invitation; token: string }) {
  const { email, teamRole, fullName } = invitation
  const state = usePlainForm(acceptFields, async (values) => {
    const { payload, token } = await callFull(teamApi.acceptInvitation, { ...values, token: link })
    // Somebody else may have been signed in here.
    await Promise.allSettled([deleteDoorLists(), deleteStaffTickets()])
    enter(payload.currentUser, token, homeOf(payload.currentUser))
  })
  return (
    <>
      <p>{texts.yourRole({ email, role: teamRoleNames[teamRole]() })}</p>
      <PlainForm state={state} action={texts.join()}>
        {/* So that password managers store the address with the password. */}
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <Field
          label={texts.name()}
          name="fullName"
          autoComplete="name"
          defaultValue={fullName}
          error={state.errors.fullName}
        />
        <PasswordField
          label={texts.password()}
          help={texts.passwordHint()}
          autoComplete="new-password"
          error={state.errors.password}
        />
      </PlainForm>
    </>
  )
}

interface DeclineProps {
  token: string
  onDeclined: () => void
  onExpired: () => void
}

/** For somebody who does not want to join: asked once more, because the club would have to invite them again. */
function Decline({ token, onDeclined, onExpired }: DeclineProps) {
  const [isAsked, setAsked] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const decline = async () => {
    setBusy(true)
    setError(null)
    try {
      await call(teamApi.declineInvitation, { token }, { isTold: true })
      onDeclined()
    } catch (cause) {
      if (!(cause instanceof Refusal)) throw cause
      if (cause.code === 'LINK_EXPIRED') onExpired()
      else setError(cause.message)
    } finally {
      setBusy(false)
    }
  }
  if (!isAsked)
    return (
      <p className="small">
        {texts.notForYou()}{' '}
        <button type="button" className="link" onClick={() => setAsked(true)}>
          {texts.decline()}
        </button>
      </p>
    )
  return (
    <div className="card" ref={takeFocus} tabIndex={-1}>
      <p>{texts.declineText()}</p>
      {error && <p role="alert">{error}</p>}
      <div className="row">
        <button type="button" className="button" disabled={isBusy} onClick={() => void decline()}>
          {texts.decline()}
        </button>
        <button type="button" className="button quiet" disabled={isBusy} onClick={() => setAsked(false)}>
          {texts.keepInvitation()}
        </button>
      </div>
    </div>
  )
}
