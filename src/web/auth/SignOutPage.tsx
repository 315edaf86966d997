import { Button, Group } from '@mantine/core'
import { useCallback, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { authApi } from '../../contract/auth.ts'
import { isRefused } from '../../contract/errors.ts'
import { call } from '../api/call.ts'
import { purgeAll } from '../door/phone/purge.ts'
import { sendLeftovers } from '../door/phone/send-leftovers.ts'
import { paths } from '../paths.ts'
import { clearSession } from '../session/session.ts'
import { notify } from '../ui/notices/notify.ts'
import { plural } from '../ui/plural.ts'

/** Shown when no answer came: the session may still exist on the server. */
const SIGNED_OUT_HERE =
  'Signed out on this device. The server could not be told: to end the session there now, change your password; it ends by itself after 30 days without use.'

/** Ends the session on the server and here; without a connection at least here. Also deletes the door's data on this device. */
export function SignOutPage() {
  const navigate = useNavigate()
  const [unsent, setUnsent] = useState(0)
  const [isBusy, setBusy] = useState(true)
  const leave = useCallback(async () => {
    await purgeAll().catch(() => {})
    const isEnded = await call(authApi.signout, {}, { background: true }).then(() => true, isRefused)
    clearSession()
    if (isEnded) notify('success', 'Signed out.')
    else notify('info', SIGNED_OUT_HERE)
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
        <p>Signing out …</p>
      ) : (
        <>
          <h1>Not everything has been sent</h1>
          <p role="alert">
            {plural(unsent, 'scan', 'scans')} of this phone could not be sent yet: there is no network. If you sign out
            now, the phone keeps them without names and codes, and sends them when somebody of the club signs in here.
          </p>
          <Group>
            <Button size="md" loading={isBusy} onClick={() => void tryToLeave()}>
              Try again
            </Button>
            <Button size="md" variant="default" onClick={() => void leave()}>
              Sign out all the same
            </Button>
          </Group>
        </>
      )}
    </div>
  )
}
