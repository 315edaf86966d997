import { Button, Group } from '@mantine/core'
import { useCallback, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { authApi } from '../../contract/auth.ts'
import { isRefused } from '../../contract/errors.ts'
import * as texts from '../../texts/generated/signOut.ts'
import { call } from '../api/call.ts'
import { purgeAll } from '../door/phone/purge.ts'
import { sendLeftovers } from '../door/phone/send-leftovers.ts'
import * as paths from '../paths.ts'
import { clearSession } from '../session/session.ts'
import { notify } from '../ui/notices/notify.ts'

/** Ends the session on the server and here; without a connection at least here. Also deletes the door's data on this device. */
export function SignOutPage() {
  const navigate = useNavigate()
  const [unsent, setUnsent] = useState(0)
  const [isBusy, setBusy] = useState(true)
  const leave = useCallback(async () => {
    await purgeAll().catch(() => {})
    const isEnded = await call(authApi.signout, {}, { background: true }).then(() => true, isRefused)
    clearSession()
    if (isEnded) notify('success', texts.signedOut())
    // Without an answer the session may still exist on the server.
    else notify('info', texts.signedOutHere())
    await navigate(paths.signin, { replace: true })
  }, [navigate])
  const tryToLeave = useCallback(async () => {
    setBusy(true)
    const count = await sendLeftovers().catch(() => 0)
    setBusy(false)
    if (count === 0) return leave()
    setUnsent(count)
  }, [leave])
  useEffect(() => void tryToLeave(), [tryToLeave])
  return (
    <div className="page narrow">
      {unsent === 0 ? (
        <p>{texts.signingOut()}</p>
      ) : (
        <>
          <h1>{texts.unsentHeading()}</h1>
          <p role="alert">{texts.unsentScans({ count: unsent })}</p>
          <Group>
            <Button size="md" loading={isBusy} onClick={() => void tryToLeave()}>
              {texts.tryAgain()}
            </Button>
            <Button size="md" variant="default" onClick={() => void leave()}>
              {texts.signOutAnyway()}
            </Button>
          </Group>
        </>
      )}
    </div>
  )
}
