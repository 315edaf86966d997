import { Button, Group } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Payload } from '../../contract/endpoint.ts'
import { securityApi } from '../../contract/security.ts'
import * as texts from '../../texts/generated/secondFactor.ts'
import { query, useCall } from '../api/query.ts'
import { LoadFailed } from '../layouts/LoadFailed.tsx'
import { FormDialog } from '../ui/dialogs/FormDialog.tsx'
import { RemovalDialog } from '../ui/dialogs/RemovalDialog.tsx'
import { Loading } from '../ui/Loading.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import { SetUpApp } from './SetUpApp.tsx'

type App = Payload<typeof securityApi.startApp>

/** The user's own second factor, in the profile. */
export function SecondFactorCard() {
  const { data: factors, error, refetch, isFetching } = useQuery(query(securityApi.getFactors, {}))
  const client = useQueryClient()
  const start = useCall(securityApi.startApp)
  const renew = useCall(securityApi.makeRecoveryCodes)
  const turnOff = useCall(securityApi.removeApp)
  const [app, setApp] = useState<App | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const [isAsked, setAsked] = useState(false)
  const show = (recoveryCodes: readonly string[]) => {
    setApp(null)
    setCodes(recoveryCodes)
  }
  const kept = () => {
    setCodes(null)
    void client.invalidateQueries()
  }
  return (
    <section className="card" aria-labelledby="second-factor">
      <h2 id="second-factor">
        {texts.heading()} {factors?.hasApp && <span className="badge good">{texts.on()}</span>}
      </h2>
      <p className="muted">{factors?.hasApp ? texts.onText() : texts.offText()}</p>
      {factors ? (
        factors.hasApp ? (
          <>
            <p>{texts.codesLeft({ count: factors.recoveryCodesLeft })}</p>
            <Group gap="xs">
              <Button
                variant="light"
                loading={renew.isPending}
                onClick={() => renew.mutate({}, { onSuccess: ({ recoveryCodes }) => show(recoveryCodes) })}
              >
                {texts.newCodes()}
              </Button>
              <Button variant="default" onClick={() => setAsked(true)}>
                {texts.turnOff()}
              </Button>
            </Group>
          </>
        ) : (
          <Button
            variant="light"
            w={{ base: '100%', sm: 'fit-content' }}
            loading={start.isPending}
            onClick={() => start.mutate({}, { onSuccess: setApp })}
          >
            {texts.setUp()}
          </Button>
        )
      ) : error ? (
        <LoadFailed error={error} onRetry={() => void refetch()} isRetrying={isFetching} />
      ) : (
        <Loading />
      )}
      {app && (
        <FormDialog title={texts.requiredTitle()} isDirty={false} isBusy={false} onClose={() => setApp(null)}>
          <SetUpApp app={app} onDone={show} />
        </FormDialog>
      )}
      {codes && <RecoveryCodes codes={codes} onClose={kept} />}
      <RemovalDialog
        title={texts.turnOffTitle()}
        action={texts.turnOff()}
        isOpen={isAsked}
        isBusy={turnOff.isPending}
        onConfirm={() => turnOff.mutate({}, { onSettled: () => setAsked(false) })}
        onClose={() => setAsked(false)}
      >
        <p>{texts.turnOffText()}</p>
      </RemovalDialog>
    </section>
  )
}
