import { useEffect, useState } from 'react'
import type { Payload } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import { passApi } from '../../contract/passes.ts'
import { formatDate } from '../../contract/values/dates.ts'
import * as texts from '../../texts/generated/pass.ts'
import { call, callFull } from '../api/call.ts'
import { useStore } from '../api/store.ts'
import { deleteDoorLists } from '../auth/delete-door-lists.ts'
import { enter } from '../auth/enter.ts'
import { newId } from '../new-id.ts'
import { deleteStaffTickets } from '../offline/ticket-caches.ts'
import * as paths from '../paths.ts'
import { readSession } from '../session/session.ts'
import { deviceStore } from '../storage.ts'
import { Loading } from '../ui/Loading.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'
import { abilityTexts } from './ability-texts.ts'
import { homeOfPass } from './pass-home.ts'

type Pass = Payload<typeof passApi.readPass>

/** Where the link of a helper pass leads. Its secret follows the `#`, so that no server on the way sees it. */
export function PassPage() {
  const token = useStore({ subscribe: onHashChange, get: () => window.location.hash.slice(1), initial: '' })
  if (token === '') return <NoPass />
  // Another link opened in the same tab is another pass.
  return <OnePass key={token} token={token} />
}

function onHashChange(onChange: () => void): () => void {
  window.addEventListener('hashchange', onChange)
  return () => window.removeEventListener('hashchange', onChange)
}

/** Where somebody gets whose pass has ended: what this phone has not sent yet is sent, because it still counts. */
function NoPass() {
  useEffect(() => {
    void import('../door/phone/send-leftovers.ts').then(({ sendLeftovers }) => sendLeftovers()).catch(() => {})
  }, [])
  const isHelper = readSession()?.user.isPass === true
  return (
    <div className="page narrow">
      <PageTitle title={texts.helperPass()} />
      <h1>{isHelper ? texts.hasEnded() : texts.helperPass()}</h1>
      <p className="card">{isHelper ? texts.thanks() : texts.openTheLink()}</p>
      {isHelper && (
        <a className="button" href={paths.signout}>
          {texts.finish()}
        </a>
      )}
    </div>
  )
}

function OnePass({ token }: { token: string }) {
  const [pass, setPass] = useState<Pass | Refusal | null>(null)
  const [tries, setTries] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try reads again.
  useEffect(() => {
    let isLeft = false
    void read(token).then((answer) => {
      if (!isLeft) setPass(answer)
    })
    return () => {
      isLeft = true
    }
  }, [token, tries])
  const title = pass === null || pass instanceof Refusal ? texts.helperPass() : texts.helpAt({ event: pass.eventName })
  return (
    <div className="page narrow">
      <PageTitle title={title} />
      <h1>{title}</h1>
      {pass === null ? (
        <Loading />
      ) : pass instanceof Refusal ? (
        <div className="card">
          <p role="alert">{pass.message}</p>
          {pass.code !== 'LINK_EXPIRED' && (
            <button
              type="button"
              className="button"
              onClick={() => {
                setPass(null)
                setTries(tries + 1)
              }}
            >
              {texts.tryAgain()}
            </button>
          )}
        </div>
      ) : (
        <ValidPass pass={pass} token={token} />
      )}
    </div>
  )
}

async function read(token: string): Promise<Pass | Refusal> {
  try {
    return await call(passApi.readPass, { token }, { isTold: true })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error
  }
}

const PHONE = 'passPhone'

/** The secret by which this phone opens a pass again, for example when the answer to the first try was lost. */
function thisPhone(): string {
  const known = deviceStore.read(PHONE)
  if (known) return known
  const phone = newId()
  deviceStore.write(PHONE, phone)
  return phone
}

function ValidPass({ pass, token }: { pass: Pass; token: string }) {
  const { name, clubName, eventName, startsAt, timeZone, may } = pass
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const user = readSession()?.user
  const open = async () => {
    setBusy(true)
    setError(null)
    try {
      const { payload, token: session } = await callFull(
        passApi.openPass,
        { token, phone: thisPhone() },
        { isTold: true },
      )
      // Somebody else may have been signed in here.
      await Promise.allSettled([deleteDoorLists(), deleteStaffTickets()])
      enter(payload.currentUser, session, homeOfPass(payload.currentUser))
    } catch (cause) {
      if (!(cause instanceof Refusal)) throw cause
      setError(cause.message)
      setBusy(false)
    }
  }
  return (
    <div className="card">
      <p>{texts.whatFor({ name, event: eventName, club: clubName, date: formatDate(startsAt, timeZone) })}</p>
      <p>{texts.thisPhoneOnly()}</p>
      <p>{texts.youMay()}</p>
      <ul>
        {may.map((ability) => (
          <li key={ability}>{abilityTexts[ability]()}</li>
        ))}
      </ul>
      {user && !user.isPass && <p>{texts.signsOut({ name: user.fullName })}</p>}
      {error !== null && <p role="alert">{error}</p>}
      <button type="button" className="button" disabled={isBusy} onClick={() => void open()}>
        {texts.openTheScanner()}
      </button>
    </div>
  )
}
