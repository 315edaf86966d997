import { Button, Stack } from '@mantine/core'
import { useState } from 'react'
import type { Payload } from '../../contract/endpoint.ts'
import { securityApi } from '../../contract/security.ts'
import * as passkeyTexts from '../../texts/generated/passkeys.ts'
import * as texts from '../../texts/generated/secondFactor.ts'
import { useCall } from '../api/query.ts'
import { AddPasskey } from '../passkeys/AddPasskey.tsx'
import * as paths from '../paths.ts'
import { refreshSession } from '../session/load-session.ts'
import { useOwner } from '../session/owner.ts'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import { SetUpApp } from './SetUpApp.tsx'

interface Props {
  /** Tells whether the recovery codes are shown: until they are kept, these steps must stay. */
  onCodes: (areShown: boolean) => void
  /** Called when the codes are kept, before the session is read again. */
  onDone: () => void
}

/** Setting up the second factor that the club requires, up to the recovery codes. */
export function SetUpSteps({ onCodes, onDone }: Props) {
  const { user } = useOwner()
  const start = useCall(securityApi.startApp)
  const [app, setApp] = useState<Payload<typeof securityApi.startApp> | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const goOn = () => {
    onDone()
    onCodes(false)
    void refreshSession().catch(() => {})
  }
  const show = (made: readonly string[] | null) => {
    // A second factor was added meanwhile, as in another tab.
    if (!made) return goOn()
    onCodes(true)
    setCodes(made)
  }
  return (
    <>
      <p>{texts.requiredText({ club: user.clubName ?? '' })}</p>
      {app ? (
        <SetUpApp app={app} onDone={show} />
      ) : (
        <Stack gap="sm">
          <p className="muted">{texts.offText()}</p>
          <Button loading={start.isPending} onClick={() => start.mutate({}, { onSuccess: setApp })}>
            {texts.setUp()}
          </Button>
          <p className="muted">{passkeyTexts.about()}</p>
          <AddPasskey label={passkeyTexts.addInstead()} onAdded={show} />
          <a href={paths.signout}>{texts.signOut()}</a>
        </Stack>
      )}
      {codes && <RecoveryCodes codes={codes} onClose={goOn} />}
    </>
  )
}
