import { Button, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Payload } from '../../contract/endpoint.ts'
import { securityApi } from '../../contract/security.ts'
import * as texts from '../../texts/generated/secondFactor.ts'
import { useCall } from '../api/query.ts'
import { Kit } from '../layouts/Kit.tsx'
import { paths } from '../paths.ts'
import { refreshSession } from '../session/load-session.ts'
import { useOwner } from '../session/owner.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import { SetUpApp } from './SetUpApp.tsx'

/** What people see instead of any page until they have the second factor that their club requires. */
export function MustSetUp({ onCodes }: { onCodes: (areShown: boolean) => void }) {
  const { user } = useOwner()
  const client = useQueryClient()
  const start = useCall(securityApi.startApp)
  const [app, setApp] = useState<Payload<typeof securityApi.startApp> | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const show = (made: readonly string[]) => {
    onCodes(true)
    setCodes(made)
  }
  const goOn = () => {
    // What the page asked for was refused until now.
    client.clear()
    onCodes(false)
    void refreshSession().catch(() => {})
  }
  return (
    <Kit>
      <div className="page narrow">
        <PageTitle title={texts.requiredTitle()} />
        <h1>{texts.requiredTitle()}</h1>
        <section className="card">
          <p>{texts.requiredText({ club: user.clubName ?? '' })}</p>
          {app ? (
            <SetUpApp app={app} onDone={show} />
          ) : (
            <Stack gap="sm">
              <p className="muted">{texts.offText()}</p>
              <Button loading={start.isPending} onClick={() => start.mutate({}, { onSuccess: setApp })}>
                {texts.setUp()}
              </Button>
              <a href={paths.signout}>{texts.signOut()}</a>
            </Stack>
          )}
        </section>
        {codes && <RecoveryCodes codes={codes} onClose={goOn} />}
      </div>
    </Kit>
  )
}
